import t from 'tap'
import { joinCatalogs } from '../../../core/compiler/catalog-names.ts'
import { compileSchema } from '../../../core/compiler/compile.ts'
import type { Catalog } from '../../../core/contract/database.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { at, faultsOf } from '../../helpers/compile-faults.ts'
import { fakeCatalog } from '../../helpers/fake-catalog.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'

const ID = { name: 'id', type: 'ID!' }
const databases = new Map([['crm', {}]])
const NOTES = { v_note: { id: 'uuid!', words: 'tsvector', bits: 'varbit' } }
const joined = (own: Partial<Catalog>, crm: Partial<Catalog>): Catalog =>
  joinCatalogs(
    new Map([
      [undefined, { ...fakeCatalog(NOTES), ...own }],
      ['crm', { ...fakeCatalog(NOTES), ...crm }],
    ]),
  )

t.test('each database has its own configurations of text search', async (t) => {
  const catalog = joined(
    { searchConfigs: ['english', 'pg_catalog.english'] },
    { searchConfigs: ['simple', 'own.words'] },
  )
  const of = (config: string, database?: string) =>
    faultsOf(
      {
        types: [{ name: 'Note', sql_source: 'v_note', database, fields: [ID], ...at(1) }],
        queries: [
          {
            name: 'notes',
            type: '[Note!]!',
            arguments: [{ name: 'q', type: 'String', full_text: { column: 'words', config } }],
            ...at(3),
          },
        ],
      },
      { catalog, databases },
    )
  t.strictSame(of('english'), [])
  t.strictSame(of('simple', 'crm'), [])
  t.strictSame(of('own.words', 'crm'), [])
  t.strictSame(of('simple'), [
    '3:3 argument-column: Query "notes", argument "q": full_text: the database has no text search configuration "simple". It has: english.',
  ])
  t.strictSame(of('english', 'crm'), [
    '3:3 argument-column: Query "notes", argument "q": full_text: the database "crm" has no text search configuration "english". It has: simple.',
  ])
})

t.test('an extension is looked up in the database of its fields', async (t) => {
  const lacking = (database: string | undefined, own: readonly string[], crm: readonly string[]) => {
    const schema: AuthoredSchema = {
      version: '1',
      types: [
        {
          name: 'Note',
          sql_source: 'v_note',
          fields: [ID, { name: 'bits', type: 'BitVector' }],
          ...(database && { database }),
        },
      ],
      queries: [{ name: 'notes', type: '[Note!]!' }],
    }
    const { compiled, faults } = compileSchema(schema, {
      owned: OWNED_KEYS,
      catalog: joined({ extensions: own }, { extensions: crm }),
      databases,
    })
    t.strictSame(faults, [])
    return compiled?.lacking_operators?.includes('_hamming_distance:BitVector') ?? false
  }
  t.equal(lacking(undefined, ['vector'], []), false, 'no other database need have it')
  t.equal(lacking('crm', [], ['vector']), false)
  t.equal(lacking('crm', ['vector'], []), true)
  t.equal(lacking(undefined, [], ['vector']), true)
})
