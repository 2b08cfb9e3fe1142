import t from 'tap'
import { compileSchema } from '../../../core/compiler/compile.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { at, faultsOf, type Loose } from '../../helpers/compile-faults.ts'
import { compileFixture } from '../../helpers/compile-fixture.ts'
import { fakeCatalog } from '../../helpers/fake-catalog.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'

const catalog = fakeCatalog({
  v_note: { id: 'uuid', tenant: 'int4', owner: 'text', data: 'jsonb' },
  v_recent: { id: 'uuid', owner: 'text' },
  v_found: { id: 'uuid', owner: 'text', __typename: 'text' },
})
const fields = [{ name: 'id', type: 'ID!' }]
const schema = (type: Loose, more: Loose = {}) => ({
  version: '1',
  types: [{ name: 'Note', sql_source: 'v_note', fields, ...at(3), ...type }],
  queries: [{ name: 'notes', type: '[Note!]!', ...at(7) }],
  ...more,
})
const faults = (type: Loose, more?: Loose) => faultsOf(schema(type, more) as Loose, { catalog })

t.test('rules of a type reach the model', async (t) => {
  const model = compileFixture(
    schema({ inject: { tenant: 'jwt:org.id', author: 'jwt:sub' }, row_filter: 'owner = {me}' }) as AuthoredSchema,
    catalog,
  )
  t.match(model.types.get('Note'), {
    rowFilter: 'owner = {me}',
    inject: [
      { parameter: 'tenant', claim: 'org.id' },
      { parameter: 'author', claim: 'sub' },
    ],
  })
  const type = model.types.get('Note')
  const reads = type?.kind === 'object' ? type.injectReads : new Map()
  t.match(reads.get('tenant'), { from: 'column', column: 'tenant', column_type: 'int4' })
  t.match(reads.get('author'), { from: 'document', document: 'data', key: 'author' })
  t.strictSame(model.requires, ['jwt'])
})

// proves: error.type-rules
t.test('a rule that cannot hold does not compile', async (t) => {
  t.strictSame(faults({ row_filter: "owner = '{me}'" }), [
    `3:3 row-filter: Type "Note": row_filter: a placeholder stands inside the quotes of '{me}'. Write it bare: it is bound as a value. (An array literal is ARRAY['…'].)`,
  ])
  t.match(faults({ inject: { tenant: 'sub' } }), [
    /3:3 inject: Type "Note": inject "tenant": "sub" has no known source/,
  ])
  t.match(faults({ inject: { tenant: 'jwt:' } }), [/the claim is missing/])
  const flat = { sql_source: 'v_recent', inject: { ownr: 'jwt:sub' } }
  t.match(faults(flat), [/3:3 inject: Type "Note": inject: v_recent has no column "ownr".*Did you mean "owner"/])
  const parent = { name: 'Parent', sql_source: 'v_note', fields: [...fields, { name: 'data', type: 'Note' }] }
  t.match(
    faultsOf(
      {
        version: '1',
        types: [parent, { name: 'Note', embedded: true, fields, row_filter: 'true', ...at(9) }],
        queries: [{ name: 'parents', type: '[Parent!]!' }],
      } as Loose,
      { catalog },
    ),
    [/9:3 type-rules: Type "Note" has rules \(inject, row_filter\) and no view or table/],
  )
})

t.test('the column has to be in every source that shows rows of the type', async (t) => {
  const recent = { name: 'recent', type: '[Note!]!', sql_source: 'v_recent', ...at(8) }
  t.strictSame(faults({ inject: { owner: 'jwt:sub' } }, { queries: [recent] }), [])
  t.match(faults({ inject: { tenant: 'jwt:org' } }, { queries: [recent] }), [
    /8:3 inject: Type "Note", whose rows the query "recent" shows: inject: v_recent has no column "tenant"/,
  ])
  const found = { name: 'found', type: '[Found!]!', sql_source: 'v_found', ...at(8) }
  t.match(
    faults({ inject: { tenant: 'jwt:org' } }, { queries: [found], unions: [{ name: 'Found', members: ['Note'] }] }),
    [/8:3 inject: Type "Note", whose rows the query "found" shows: inject: v_found has no column "tenant"/],
  )
})

// proves: warning.hidden-row
t.test('a field that may not be null and leads to rows that can be hidden is warned of', async (t) => {
  const warnings = (type: string) =>
    compileSchema(
      {
        version: '1',
        types: [
          { name: 'Note', sql_source: 'v_note', row_filter: 'true', fields },
          {
            name: 'Recent',
            sql_source: 'v_recent',
            fields: [...fields, { name: 'note', type, relation: { from: 'id', to: 'id' } }],
          },
        ],
        queries: [{ name: 'recent', type: '[Recent!]!' }],
      },
      { owned: OWNED_KEYS, catalog },
    ).warnings.map(({ message }) => message)
  t.match(warnings('Note!'), [/Recent\.note may not be null, and the rules of Note can hide/])
  t.strictSame(warnings('Note'), [])
})
