import t from 'tap'
import { faultsOf } from '../../../core/kernel/faults.ts'
import { boot, entry, failure, plugin } from '../../helpers/kernel.ts'

const OPTIONS = {
  properties: {
    sink: { type: 'string', enum: ['stdout', 'file'], default: 'stdout' },
    size: { type: 'integer', minimum: 1 },
    retry: { type: 'object', properties: { times: { type: 'integer', default: 3 } }, default: {} },
    labels: { type: 'object' },
    email: { type: 'string', format: 'email' },
    anyOne: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    target: { anyOf: [{ type: 'string' }, { type: 'object', properties: { url: { type: 'string' } } }] },
  },
  required: ['size'],
}

async function given(options: unknown): Promise<unknown> {
  let seen: unknown
  const audit = plugin(
    'audit',
    (_scope, value) => {
      seen = value
    },
    { options: OPTIONS },
  )
  await (await boot([entry(audit, options)])).close()
  return seen
}

t.test('defaults are filled in, at every depth; the value is a frozen copy', async (t) => {
  const options = { size: 2, labels: { any: 'key' }, enabled: true }
  const value = (await given(options)) as { retry: object }
  t.same(value, { size: 2, labels: { any: 'key' }, enabled: true, sink: 'stdout', retry: { times: 3 } })
  t.ok(Object.isFrozen(value) && Object.isFrozen(value.retry))
  t.same(options, { size: 2, labels: { any: 'key' }, enabled: true })
})

t.test('each thing that does not fit is a fault with its place', async (t) => {
  const faults = async (options: unknown) =>
    faultsOf(await failure(() => given(options))).map(({ message }) =>
      message.replace('Options of plugin "audit": ', ''),
    )
  t.same(await faults({}), ['`size` is required.'])
  t.same(await faults({ size: 0, sink: 'pipe' }), ['`sink` must be one of stdout, file.', '`size` must be >= 1.'])
  t.match(await faults({ size: 1, sinc: 'file' }), [
    'unknown option `sinc`. Did you mean "sink"? Known: enabled, sink, size, retry, labels, email, anyOne, target.',
  ])
  t.match(await faults({ size: 1, retry: { time: 1 } }), ['unknown option `time` in `retry`. Did you mean "times"?'])
  t.match(await faults({ size: 1, target: { url: 'x', ulr: 'y' } }), [
    '`target` must be string.',
    'unknown option `ulr` in `target`. Did you mean "url"? Known: url.',
  ])
  t.match(await faults({ size: 1, email: 'nobody' }), ['`email` must match format "email".'])
  t.match(await faults([]), ['they must be object.'])
})

t.test('a plugin without options takes none', async (t) => {
  const error = await failure(() => boot([entry(plugin('plain'), { colour: 'red' })]))
  t.match(error.message, 'unknown option `colour`')
  const kernel = await boot([entry(plugin('plain'), undefined), entry(plugin('other'), { enabled: true })])
  await kernel.close()
})
