"""A process that relates documents while a generator writes pages.

It starts with the build, so that its imports cost the build no time, and is asked when all
documents are read. Whatever happens to it, the generator goes on.
"""

import importlib
import pickle
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress

from pagekin.errors import EngineError, PagekinError
from pagekin.generators.documents import Document, RelatedDocuments
from pagekin.generators.list_settings import ListSettings

__all__ = ["RelatingProcess"]


class RelatingProcess:
    """A child that answers one question. Its end must be waited for: `answer` or `end`."""

    def __init__(self) -> None:
        # Without -P a module of the author's project could take the place of one of ours.
        words = [sys.executable, "-P", "-m", __name__]
        self._child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, documents: Sequence[Document], settings: ListSettings, base: str | None) -> None:
        """Have these documents related."""
        # If it has ended, `answer` tells how.
        with suppress(BrokenPipeError):
            if self._child.stdin:
                pickle.dump(([*documents], settings, base), self._child.stdin)
                self._child.stdin.close()

    def answer(self) -> RelatedDocuments:
        """The related documents, as soon as they are known; raises what the child raised."""
        output = self._child.stdout.read() if self._child.stdout else b""
        code = self._child.wait()
        self.end()
        if code != 0:
            raise EngineError(
                f"the process that relates pages ended with code {code}",
                advice="see what it wrote to standard error",
            )
        found: RelatedDocuments | PagekinError = pickle.loads(output)
        if isinstance(found, PagekinError):
            raise found
        return found

    def end(self) -> None:
        """End the process, whether or not it has answered."""
        self._child.kill()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe:
                with suppress(BrokenPipeError):
                    pipe.close()
        self._child.wait()


def main() -> None:
    """Answer the question on standard input."""
    answer = importlib.import_module("pagekin.generators.relate").relate
    question = pickle.load(sys.stdin.buffer)
    try:
        found = answer(*question)
    except PagekinError as error:
        found = error
    pickle.dump(found, sys.stdout.buffer)


if __name__ == "__main__":
    main()
