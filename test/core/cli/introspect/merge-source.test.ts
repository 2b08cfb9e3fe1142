import t from 'tap'
import { mergeSource } from '../../../../core/cli/introspect/merge-source.ts'

const BASE = `import { enum_, field, ID, list, nullable, query, String, type } from 'svc/authoring'

export const Mood = enum_('Mood', { HAPPY: 'happy', SAD: 'sad' })

@type({ sqlSource: 'artist', key: 'artist_id' })
export class Artist {
  @field(ID, { column: 'artist_id' }) id!: string
  @field(nullable(String)) name!: string | null
  @field(() => list(Album)) albums!: Album[]
}

@type({ sqlSource: 'album', key: 'album_id' })
export class Album {
  @field(ID, { column: 'album_id' }) id!: string
  @field(String) title!: string
  @field(String) note!: string
  @field(Artist) artist!: Artist
}

export class Api {
  @query(list(Artist), { autoParams: { totalCount: true } })
  artists!: unknown
}
`

/** Replaces a text that must be there. */
function edit(source: string, ...edits: readonly (readonly [string, string])[]): string {
  return edits.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The source lacks ${from}`)
    return text.replace(from, to)
  }, source)
}

t.test('a file that nobody has edited becomes the new proposal', async (t) => {
  const theirs = edit(BASE, ['title!', 'name!'])
  t.strictSame(mergeSource(BASE, BASE, theirs), { text: theirs, conflicts: [] })
})

t.test('an edited file stays byte for byte where the proposal has not changed', async (t) => {
  const ours = edit(BASE, ['  @field(String) title', '  // The title.\n\n  @field(String)   title'])
  t.strictSame(mergeSource(BASE, ours, BASE), { text: ours, conflicts: [] })
})

t.test('new columns, types, queries and imports are added to an edited file', async (t) => {
  const ours = edit(
    BASE,
    ["'svc/authoring'\n", "'svc/authoring'\nimport { own } from './own.ts'\n"],
    ['field, ID', 'Email, field, ID'],
    ['  @field(String) title', "  @field(String, { description: 'Own' }) title"],
    ['export class Api {', 'export class Api {\n  @query(list(Album)) mine!: unknown'],
  )
  const theirs = edit(
    BASE,
    ['enum_, field', 'DateTime, enum_, field'],
    ['title!: string\n', 'title!: string\n  @field(DateTime) createdAt!: string\n'],
    [
      'export class Api {',
      "@type({ sqlSource: 'label' })\nexport class Label {\n  @field(String) name!: string\n}\n\nexport class Api {",
    ],
    ['  artists!: unknown\n', '  artists!: unknown\n  @query(list(Label)) labels!: unknown\n'],
  )
  const expected = edit(
    ours,
    ['title!: string\n', 'title!: string\n  @field(DateTime) createdAt!: string\n'],
    [
      'export class Api {',
      "@type({ sqlSource: 'label' })\nexport class Label {\n  @field(String) name!: string\n}\n\nexport class Api {",
    ],
    ['  artists!: unknown\n', '  artists!: unknown\n  @query(list(Label)) labels!: unknown\n'],
  ).replace(/^import \{.*\}/, 'import { DateTime, Email, enum_, field, ID, list, nullable, query, String, type }')
  t.strictSame(mergeSource(BASE, ours, theirs), { text: expected, conflicts: [] })
})

t.test('a field that a person removed stays removed, also when its column changes', async (t) => {
  const ours = edit(BASE, ['  @field(String) note!: string\n', ''])
  const theirs = edit(BASE, ['@field(String) note!: string\n', '@field(nullable(String)) note!: string | null\n'])
  t.strictSame(mergeSource(BASE, ours, theirs), { text: ours, conflicts: [] })
})

t.test('a class that a person removed stays removed', async (t) => {
  const ours = BASE.slice(0, BASE.indexOf("@type({ sqlSource: 'album'")) + BASE.slice(BASE.indexOf('export class Api'))
  const theirs = edit(BASE, ['title!: string\n', 'title!: string\n  @field(String) more!: string\n'])
  t.notMatch(mergeSource(BASE, ours, theirs).text, /class Album/)
})

t.test('an edited field is not touched, and the wanted text is reported', async (t) => {
  const ours = edit(BASE, ['@field(nullable(String)) name', "@field(nullable(String), { description: 'Own' }) name"])
  const theirs = edit(BASE, ['@field(nullable(String)) name!: string | null', '@field(String) name!: string'])
  t.strictSame(mergeSource(BASE, ours, theirs), {
    text: ours,
    conflicts: [{ name: 'Artist.name', wanted: '  @field(String) name!: string' }],
  })
})

t.test('a column that is gone: the field goes if it is as proposed, and is reported if it is edited', async (t) => {
  const theirs = edit(BASE, ['  @field(String) note!: string\n', ''], ["HAPPY: 'happy', ", ''])
  const ours = edit(BASE, ['  @field(String) note', '  @field(String, { filterable: false }) note'])
  const merged = mergeSource(BASE, ours, theirs)
  t.match(merged.conflicts, [{ name: 'Album.note', wanted: null }])
  t.match(merged.text, "enum_('Mood', { SAD: 'sad' })")
  t.notMatch(mergeSource(BASE, `${BASE}\nexport const own = 1\n`, theirs).text, /note!/)
})

t.test('the options of a type are updated, and an edited head is reported', async (t) => {
  const theirs = edit(BASE, ["key: 'album_id'", "key: ['album_id', 'shop_id']"])
  const ours = edit(BASE, ["sqlSource: 'album',", "sqlSource: 'album', relay: true,"])
  t.match(mergeSource(BASE, ours, theirs).conflicts, [{ name: 'Album' }])
  const elsewhere = edit(BASE, ['  @field(String) title', '  // Own.\n  @field(String) title'])
  t.match(mergeSource(BASE, elsewhere, theirs).text, "key: ['album_id', 'shop_id']")
})
