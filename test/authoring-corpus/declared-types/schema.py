from __future__ import annotations

import datetime
import decimal
import uuid
from typing import Annotated, List, Optional

import svc


@svc.type
class Scalars:
    """Values of every built-in scalar"""

    id: svc.ID
    text: str
    whole: int
    number: float
    flag: bool
    big: svc.BigInt
    created_at: datetime.datetime
    born_on: datetime.date
    opens_at: datetime.time
    key: uuid.UUID
    price: decimal.Decimal
    settings: svc.JSON
    email: svc.Email
    homepage: Optional[svc.URL]
    latitude: svc.Latitude


@svc.type(sql_source="v_author")
class Author:
    id: svc.ID
    pen_name: svc.String | None
    "As printed on the cover"
    tags: list[str]
    scores: list[int] | None
    samples: List[Optional[float]]
    visits: list[svc.DateTime | None] | None
    grid: list[list[svc.Int]]
    books: list[Book]
    favourite: Book | None
    mentor: "Author | None"


@svc.type(sql_source="v_book")
class Book:
    """A book.

    It has one author.
    """

    id: svc.ID
    title: str
    """
    The title,
    in the language of the cover
    """
    author: Author
    class_: Annotated[str, svc.field(name="class", column="class")]


@svc.query(description='Authors by name: "a\\b" \u2014 caf\u00e9 \U0001f600')
def authors(pen_name: str | None = None) -> list[Author]: ...


@svc.query
def author(id: svc.ID) -> Author | None: ...


@svc.query(sql_source="v_scalars")
def scalars(from_: Annotated[datetime.date, svc.argument(name="from")]) -> list[Scalars]: ...


svc.export()
