import t from 'tap'
import { compareSchemas } from '../../../core/cli/introspect/compare-schemas.ts'
import { checkOpenTypes } from '../../../core/compiler/checks/open-types.ts'
import type { CompileContext } from '../../../core/compiler/ground/context.ts'
import { placeInDatabases } from '../../../core/compiler/passes/place-in-databases.ts'
import { proposeSchema } from '../../../core/introspect/propose-schema.ts'
import { foreignKey, model as modelOf, table } from './sample-model.ts'

/** With 8,000 tables, work that grows with their square takes more than ten seconds of processor time. */
const TABLES = 8000
const MOST_SECONDS = 4

const model = modelOf(
  Array.from({ length: TABLES }, (_, i) =>
    table(
      `item_${i}`,
      { id: 'int4', code: 'text', amount: 'numeric?', parent_id: 'int4?' },
      { foreignKeys: [foreignKey('parent_id', `item_${i >> 1}.id`)] },
    ),
  ),
)

/** Processor time of this process, which other load of the machine does not add to. */
function secondsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

t.test('the time for many tables grows with their number', async (t) => {
  let { schema } = proposeSchema(modelOf([]))
  t.ok(
    secondsOf(() => {
      schema = proposeSchema(model).schema
    }) < MOST_SECONDS,
    'to propose a schema',
  )
  t.equal(schema.types?.length, TABLES)
  const loose = structuredClone(schema) as unknown as Readonly<Record<string, unknown>>
  t.ok(secondsOf(() => placeInDatabases(loose, [])) < MOST_SECONDS, 'to find the database of each type')
  const context = { schema, report: { fault: t.fail }, facts: { waysTo: () => [] } } as unknown as CompileContext
  t.ok(secondsOf(() => checkOpenTypes(context)) < MOST_SECONDS, 'to check the rules of types and queries')
  t.ok(
    secondsOf(() => t.same(compareSchemas({ authored: schema, proposed: schema, base: schema, model }), [])) <
      MOST_SECONDS,
    'to compare the schema with the database',
  )
})
