import t from 'tap'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import { compileSchema } from '../../../core/compiler/compile.ts'
import { POSTGRES } from '../../../core/dialects/postgres/dialect.ts'
import { checkDialect } from '../../../core/engine/execute/check-dialect.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { linkSchema } from '../../../core/schema/link/link.ts'
import type { ObjectType } from '../../../core/schema/model.ts'
import { OPERATORS, operatorsFor } from '../../../core/schema/operators/operators.ts'
import { createSchemaView } from '../../../plugins/graphql/schema/graphql-schema.ts'
import { SQLITE } from '../../../plugins/sqlite/dialect/dialect.ts'
import { fakeCatalog } from '../../helpers/fake-catalog.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'
import { NOTES } from '../../schemas/notes.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

const FULL_TEXT = ['_matches', '_plain_query', '_phrase_query', '_websearch_query']
const SCHEMA = { ...NOTES.schema, mutations: [] }

/** Compiled for what has these operators, or for PostgreSQL where nothing is said. */
function compile(dialect?: Parameters<typeof compileSchema>[1]['dialect'], authored: AuthoredSchema = SCHEMA) {
  return compileSchema(authored, { owned: OWNED_KEYS, catalog: null, dialect })
}

t.test('PostgreSQL has every operator of the table', async (t) => {
  // Of arguments, and no operators of fields.
  const searches = [...POSTGRES.operators].filter((id) => id.startsWith('@'))
  t.equal(searches.length, 6)
  t.strictSame([...POSTGRES.operators].sort(), [...OPERATORS.map(({ id }) => id), ...searches].sort())
  for (const dialect of [undefined, POSTGRES]) {
    t.equal(compile(dialect).compiled?.lacking_operators, undefined, 'so that an artifact has nothing to say of it')
  }
})

t.test('operators that a dialect lacks are listed in the artifact and not offered', async (t) => {
  const { compiled } = compile(SQLITE)
  t.equal(compiled?.dialect, 'sqlite')
  const lacking = compiled?.lacking_operators ?? []
  const ofSemanticScalars = lacking.filter((name) => name.includes(':'))
  t.strictSame(lacking.filter((name) => !name.includes(':')).sort(), [...FULL_TEXT].sort())
  t.ok(ofSemanticScalars.includes('_in_subnet:inet'), 'those of networks too')
  const offered = (artifact: NonNullable<typeof compiled>) => {
    const model = linkSchema(artifact)
    const note = model.types.get('Note') as ObjectType
    const view = createSchemaView(model, false)
    const filter = Object.keys(
      (view.schema.getType('StringFilter') as { getFields(): object } | undefined)?.getFields() ?? {},
    )
    return [operatorsFor(note.fields.get('body')!).map(({ name }) => name), filter] as const
  }
  const theirs = offered(compile().compiled!)
  const ours = offered(compiled!)
  for (const index of [0, 1] as const) {
    t.ok(
      FULL_TEXT.every((name) => theirs[index].includes(name)),
      'PostgreSQL offers them',
    )
    t.strictSame(
      ours[index],
      theirs[index].filter((name) => !FULL_TEXT.includes(name)),
      'and SQLite all others',
    )
  }
})

t.test('a filter_operators that names one does not compile', async (t) => {
  const [type] = SCHEMA.types
  const fields = [type.fields[0]!, { ...type.fields[1]!, filter_operators: ['_eq', '_websearch_query'] }]
  const authored = tableSchema({ ...type, fields, list: 'notes' })
  t.strictSame(compile(POSTGRES, authored).faults, [])
  t.match(compile(SQLITE, authored).faults, [{ message: /Note\.body: String! has no operator "_websearch_query"/ }])
})

t.test('a database that speaks something else than the artifact is refused', async (t) => {
  const model = linkSchema(compile(SQLITE).compiled!)
  t.equal(checkDialect(model, SQLITE), model)
  t.throws(
    () => checkDialect(model, POSTGRES),
    new SvcError(
      'SVC_SCHEMA_INVALID',
      'The schema was compiled for the dialect "sqlite", and the database speaks "postgres". Run `svc compile` with this database.',
    ),
  )
  const older = linkSchema(compile().compiled!)
  t.equal(checkDialect(older, POSTGRES), older, 'nothing said: PostgreSQL')
  t.throws(() => checkDialect(older, SQLITE), { code: 'SVC_SCHEMA_INVALID' })
})

t.test('operators of an extension are offered where the catalog shows it', async (t) => {
  const authored = tableSchema({ ...SCHEMA.types[0], list: 'notes', fields: { id: 'ID!', bits: 'BitVector' } })
  const offered = (extensions: readonly string[] | null) => {
    const catalog = {
      ...fakeCatalog({ v_note: { id: 'int4*', bits: 'bit' } }),
      ...(extensions === null ? {} : { extensions }),
    }
    const { compiled } = compileSchema(authored, { owned: OWNED_KEYS, catalog, dialect: POSTGRES })
    const note = linkSchema(compiled!).types.get('Note') as ObjectType
    return operatorsFor(note.fields.get('bits')!).map(({ name }) => name)
  }
  const NULLS = ['_is_null', '_is_not_null']
  t.strictSame(offered(['vector']), [...NULLS, '_hamming_distance', '_jaccard_distance'])
  // A column of bits is PostgreSQL's own.
  t.strictSame(offered([]), NULLS)
  t.strictSame(offered(null), NULLS)
})
