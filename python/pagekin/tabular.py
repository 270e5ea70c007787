"""Answers as tables, for notebooks: HTML, Arrow, pandas and Polars.

pandas and Polars are imported when a method first uses them; pagekin needs neither.
"""

import html
import importlib
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from pagekin.errors import EngineError

if TYPE_CHECKING:
    import polars
    import pyarrow as pa

__all__ = ["Tabular"]

Row = Mapping[str, Any]


class Tabular:
    """Something with rows, which all have the same columns."""

    __slots__ = ()

    COLUMNS: ClassVar[Mapping[str, type]]
    """The columns and the type of their values; `list` is a list of texts."""

    @abstractmethod
    def rows(self) -> Iterable[Row]:
        """The rows of the table, as plain values by column."""

    def to_arrow(self) -> "pa.Table":
        """The answer as a table of pyarrow."""
        arrow = importlib.import_module("pyarrow")
        kinds = {
            str: arrow.string(),
            float: arrow.float64(),
            int: arrow.int64(),
            bool: arrow.bool_(),
            list: arrow.list_(arrow.string()),
        }
        schema = arrow.schema([(name, kinds[kind]) for name, kind in self.COLUMNS.items()])
        table: pa.Table = arrow.Table.from_pylist([*map(dict, self.rows())], schema=schema)
        return table

    def to_pandas(self) -> Any:
        """The answer as a DataFrame of pandas."""
        _import("pandas")
        return self.to_arrow().to_pandas()

    def to_polars(self) -> "polars.DataFrame":
        """The answer as a DataFrame of Polars."""
        frame: polars.DataFrame = _import("polars").from_arrow(self.to_arrow())
        return frame

    def _repr_html_(self) -> str:
        """The table as a notebook shows it; everything that pages say is escaped."""
        names = [*self.COLUMNS]
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        rows = "".join(
            f"<tr>{''.join(f'<td>{_cell(name, row[name])}</td>' for name in names)}</tr>"
            for row in self.rows()
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}"
    text = html.escape(", ".join(map(str, value)) if isinstance(value, list) else str(value))
    is_link = name == "url" and text.startswith(("http://", "https://"))
    return f'<a href="{text}">{text}</a>' if is_link else text


def _import(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise EngineError(
            f"{name} is not installed", where=name, advice=f"pip install {name}, or use to_arrow()"
        ) from error
