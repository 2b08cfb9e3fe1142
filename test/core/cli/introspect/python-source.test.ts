import t from 'tap'
import { mergeSource } from '../../../../core/cli/introspect/merge-source.ts'
import { PYTHON_SOURCE } from '../../../../core/cli/introspect/python-source.ts'

const BASE = `from __future__ import annotations

import enum
from typing import Annotated

import svc

import schema_parts.values

if TYPE_CHECKING:
    from .values import Mood


@svc.enum
class Mood(enum.Enum):
    HAPPY = "happy"
    SAD = "sad"


@svc.type(sql_source="artist", key="artist_id")
class Artist:
    id: Annotated[svc.ID, svc.field(column="artist_id")]
    name: str | None
    albums: list[Album]


@svc.type(sql_source="album")
class Album:
    title: str
    note: Annotated[
        str,
        svc.field(column="NOTE"),
    ]
    artist: Artist


svc.hierarchy("tree", type=Album)


@svc.query(sql_source="artist")
def artists() -> list[Artist]: ...


svc.export()
`

/** Replaces a text that must be there. */
function edit(source: string, ...edits: readonly (readonly [string, string])[]): string {
  return edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The source lacks ${from}`)
    return text.replace(from, to)
  }, source)
}

const merge = (ours: string, theirs: string) => mergeSource(BASE, ours, theirs, PYTHON_SOURCE)

t.test('a split module is joined byte for byte', async (t) => {
  const { splitModule, joinModule, splitClass, joinClass } = PYTHON_SOURCE
  t.equal(joinModule(splitModule(BASE)), BASE)
  t.same(
    splitModule(BASE).map(({ key }) => key),
    [
      ...['import __future__', 'import enum', 'import typing', 'import svc', 'import schema_parts.values'],
      ...['import for type checkers', 'Mood', 'Artist', 'Album', 'svc.hierarchy("tree")', 'artists', 'svc.export()'],
    ],
  )
  const text = splitModule(BASE).find(({ key }) => key === 'Album')!.text
  t.same(
    splitClass(text)?.members.map(({ key }) => key),
    ['title', 'note', 'artist'],
  )
  t.equal(joinClass(splitClass(text)!), text)
  t.equal(splitClass('@svc.union(members=[A])\nclass U: ...'), null)
})

t.test('new fields, types, operations and imports are added to an edited file', async (t) => {
  const ours = edit(
    BASE,
    ['import svc\n', 'import svc\nfrom own import thing\n'],
    ['class Artist:\n', 'class Artist:\n    """An artist.\n\nclass Fake: a text\n    name: of the text\n    """\n\n'],
    ['    title: str\n', '    title: Annotated[str, svc.field(description="Mine")]\n    """Text: below"""\n'],
    ['svc.export()', '# Mine.\n@svc.query\ndef mine() -> Album: ...\n\n\nsvc.export()'],
  )
  const theirs = edit(
    BASE,
    ['import Annotated', 'import Annotated, Any'],
    ['    title: str\n', '    title: str\n    year: Any\n'],
    ['    name: str | None\n', '    name: str\n'],
    ['svc.hierarchy', '@svc.type\nclass Label:\n    id: svc.ID\n\n\nsvc.hierarchy'],
    ['svc.export()', '@svc.query\ndef labels() -> list[Label]: ...\n\n\nsvc.export()'],
  )
  const { text, conflicts } = merge(ours, theirs)
  t.same(conflicts, [])
  t.equal(
    text,
    edit(
      ours,
      ['import Annotated', 'import Annotated, Any'],
      ['    """Text: below"""\n', '    """Text: below"""\n    year: Any\n'],
      ['    name: str | None\n', '    name: str\n'],
      ['svc.hierarchy', '@svc.type\nclass Label:\n    id: svc.ID\n\n\nsvc.hierarchy'],
      ['# Mine.', '@svc.query\ndef labels() -> list[Label]: ...\n\n\n# Mine.'],
    ),
  )
})

t.test('an edited piece is not touched, and the wanted text is reported', async (t) => {
  const ours = edit(
    BASE,
    ['    note: Annotated', '    # Mine\n    note: Annotated'],
    ['key="artist_id")', 'key="artist_id", relay=True)'],
    ['    name: str | None\n', ''],
    ['@svc.enum\nclass Mood(enum.Enum):\n    HAPPY = "happy"\n    SAD = "sad"\n\n\n', ''],
  )
  const theirs = edit(
    BASE,
    ['column="NOTE"', 'column="note"'],
    ['key="artist_id")', 'key="id")'],
    ['    name: str | None\n', '    name: str\n'],
    ['"sad"', '"SAD"'],
  )
  t.same(merge(ours, theirs), {
    text: ours,
    conflicts: [
      { name: 'Artist', wanted: '@svc.type(sql_source="artist", key="id")\nclass Artist:' },
      { name: 'Album.note', wanted: '    note: Annotated[\n        str,\n        svc.field(column="note"),\n    ]' },
    ],
  })
})

t.test('a piece that is as proposed goes with its table or column', async (t) => {
  const ours = edit(BASE, ['    artist: Artist\n', '    artist: Artist\n    mine: str\n'])
  const theirs = edit(
    BASE,
    ['    artist: Artist\n', ''],
    ['svc.hierarchy("tree", type=Album)\n\n\n', ''],
    ['import schema_parts.values\n\n', ''],
  )
  const { text, conflicts } = merge(ours, theirs)
  t.same(conflicts, [])
  t.equal(text, edit(theirs, ['    ]\n', '    ]\n    mine: str\n']))
})
