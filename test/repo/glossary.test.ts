import t from 'tap'
import { FIELD_TERMS } from './field-terms.ts'
import { read } from './source-files.ts'

const DOORS = ['svc', 'front', 'driver', 'command']

/** `createEntityTagger` is "create", "entity", "tagger". */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]+/)
}

/** Names of a door, and those of the members of its namespaces. */
function namesOf(door: string): readonly string[] {
  const headings = read(`docs/reference/api/${door}.md`).matchAll(/^(?:## `|### `\w+\.)(\w+)`/gm)
  return [...headings].map(([, name]) => name!)
}

const glossary = [...read('docs/explain/glossary.md').matchAll(/^\| ([a-z][a-z ]*) \| (.+) \|$/gm)]
const terms = new Set(glossary.flatMap(([, term]) => term!.split(' ')))

/** Words of a name that are neither terms of the field nor in the glossary. */
function unexplained(name: string): readonly string[] {
  return wordsOf(name).filter(
    (word) => ![word, word.replace(/s$/, '')].some((one) => terms.has(one) || FIELD_TERMS.has(one)),
  )
}

t.test('exported names are made of terms of the field and of the glossary', async (t) => {
  t.same(unexplained('createLaidTie'), ['laid', 'tie'], 'an unknown word is found')
  for (const door of DOORS) {
    const names = namesOf(door)
    t.ok(names.length > 50, door)
    for (const name of names) {
      t.same(
        unexplained(name),
        [],
        `${name} of ${door}: use a term of the field, or explain it in docs/explain/glossary.md`,
      )
    }
  }
})

t.test('the glossary is sorted, and each term has one line', async (t) => {
  const listed = glossary.map(([, term]) => term!)
  t.ok(listed.length > 40)
  t.same(listed, [...listed].sort())
  t.equal(new Set(listed).size, listed.length)
  for (const [, term, meaning] of glossary) t.match(meaning, /\.$/, `${term}: a sentence`)
})

t.test('a term of the field is not explained again', async (t) => {
  t.same(
    [...terms].filter(
      (term) =>
        FIELD_TERMS.has(term) && !['row', 'filter', 'view', 'part', 'options', 'write', 'compile'].includes(term),
    ),
    [],
  )
})
