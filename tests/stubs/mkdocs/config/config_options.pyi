from typing import Any

class BaseConfigOption: ...

class Type(BaseConfigOption):
    default: Any
    def __init__(self, type_: type | tuple[type, ...]) -> None: ...

class ListOfItems(BaseConfigOption):
    def __init__(self, option_type: BaseConfigOption, default: Any = ...) -> None: ...
