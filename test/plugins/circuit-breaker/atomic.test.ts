import t from 'tap'
import type { Exchange, Operation, OperationTemplate } from '../../../core/doors/plugin.ts'
import { Circuits } from '../../../plugins/circuit-breaker/circuits.ts'
import { Guard } from '../../../plugins/circuit-breaker/guard.ts'

/** A write of two entities, the circuit of one of which is open. */
const OPTIONS = {
  enabled: true,
  failure_threshold: 1,
  recovery_timeout_secs: 60,
  success_threshold: 1,
  per_database: [],
}
const ROOTS = ['Open', 'Shut'].map((entity, index) => ({
  index,
  responseKey: entity.toLowerCase(),
  nullable: true,
  entities: [entity],
}))
const TEMPLATE = {
  kind: 'mutation',
  roots: ROOTS.map(({ responseKey }) => ({ kind: 'operation', responseKey, location: null })),
} as unknown as OperationTemplate

function asked(write: Operation['write']) {
  const circuits = new Circuits(
    OPTIONS,
    () => 0,
    () => {},
  )
  const breaker = circuits.of('Shut')
  const ticket = breaker.enter()
  if ('retryAfter' in ticket) throw new Error('It is closed at first.')
  breaker.settle(ticket, 'failure')
  const ran: Operation[] = []
  const guard = new Guard(circuits, () => {}, 0)
  const run = () =>
    guard.run(
      {} as Exchange,
      { template: TEMPLATE, variables: {}, write } as Operation,
      { roots: ROOTS, asksSeveral: false },
      (instead) => {
        ran.push(instead as Operation)
        return { data: '{"open":1,"shut":null}', errors: null }
      },
    )
  return { run, ran }
}

for (const write of [{ atomic: true }, { dryRun: true }]) {
  t.test(`${JSON.stringify(write)}: nothing is written while one circuit is open`, async (t) => {
    const { run, ran } = asked(write)
    t.throws(run, { code: 'CIRCUIT_BREAKER_OPEN', status: 503 })
    t.strictSame(ran, [])
  })
}

t.test('its twin, of which each root stands by itself, is written without that one', async (t) => {
  for (const write of [undefined, {}, { atomic: false }]) {
    const { run, ran } = asked(write)
    const { data, errors } = await run()
    t.equal(data, '{"open":1,"shut":null}')
    t.strictSame(
      errors?.map(({ code, path }) => [code, path]),
      [['CIRCUIT_BREAKER_OPEN', ['shut']]],
    )
    t.strictSame(
      ran.map(({ template }) => template.roots.map(({ kind }) => kind)),
      [['operation', 'literal']],
    )
  }
})
