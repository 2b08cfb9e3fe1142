import t from 'tap'
import type { Operation, RootSelection } from '../../../../core/contract/operation.ts'
import { hasRules, validateOperation } from '../../../../core/engine/validation/validate-operation.ts'

/** Only root fields of the schema's operations have rules: others have no operation at all. */

const operation = (...roots: readonly object[]): Operation =>
  ({ template: { roots: roots as readonly RootSelection[] }, variables: {} }) as unknown as Operation

t.test('which operations have rules', async (t) => {
  const others = [
    { kind: 'typename', responseKey: '__typename', typeName: 'Query' },
    { kind: 'literal', responseKey: '__schema', json: '{}' },
    { kind: 'node', responseKey: 'node' },
    { kind: 'rows', responseKey: 'rows' },
    { kind: 'related', responseKey: 'posts' },
  ]
  t.equal(hasRules(operation(...others)), false)
  const exchange = { generation: { schema: {} }, auth: null } as never
  t.doesNotThrow(() => validateOperation(exchange, operation(...others)))
  for (const kind of ['operation', 'aggregate']) {
    t.equal(hasRules(operation(...others, { kind, operation: { hasRules: false } })), false, `${kind} without rules`)
    t.equal(hasRules(operation(...others, { kind, operation: { hasRules: true } })), true, kind)
  }
})
