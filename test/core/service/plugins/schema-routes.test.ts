import t from 'tap'
import type { Route } from '../../../../core/contract/route.ts'
import type { Scope } from '../../../../core/contract/scope.ts'
import { faultsOf } from '../../../../core/kernel/faults.ts'
import type { SchemaModel } from '../../../../core/schema/model.ts'
import { emptySchema, testPlugin } from '../../../../core/testing/testing.ts'
import { boot, failure, plugin } from '../../../helpers/kernel.ts'

const schema = (hash: string): SchemaModel => ({ ...emptySchema(), hash })
const answer =
  (text: string): Route['handler'] =>
  () => ({ status: 200, headers: {}, body: text })
const get = (path: string, text = path): Route => ({ method: 'GET', path, handler: answer(text) })

t.test('routes come and go with the schema', async (t) => {
  const byHash = (scope: Scope) => {
    scope.route(get('/fixed'))
    scope.routes(({ hash }) => [get(`/${hash}`), get(`/${hash}/:id`)])
  }
  const tested = await testPlugin(plugin('p', byHash), {
    schema: schema('one'),
    loadSchema: async (path) => schema(path ?? 'one'),
  })
  const status = async (url: string) => (await tested.inject({ url })).status
  t.same(
    [await status('/fixed'), await status('/one'), await status('/one/7'), await status('/two')],
    [200, 200, 200, 404],
  )
  await tested.kernel.process.reload({ path: 'two' })
  t.same(
    [await status('/fixed'), await status('/one'), await status('/two'), await status('/two/7')],
    [200, 404, 200, 200],
  )
  await tested.close()
})

t.test('two owners of one path: both are named, and the old schema serves on', async (t) => {
  const rest = plugin('rest', (scope) => scope.routes(({ hash }) => [get(`/${hash}`), get('/users/:id')]))
  const health = plugin('health', (scope) => scope.route(get('/taken')))
  const kernel = await boot([rest, health], { schema: schema('one') })
  const error = await failure(() => kernel.reload(async () => schema('taken')))
  t.match(error, { code: 'SVC_ROUTE_DUPLICATE', message: /"rest" mounts GET \/taken, which plugin "health" has/ })
  t.equal(kernel.generation.hash, 'one')
  await kernel.close()
  const parameter = plugin('other', (scope) => scope.route(get('/users/:name')))
  const atBoot = await failure(() => boot([rest, parameter]))
  t.match(
    faultsOf(atBoot)[0]?.message,
    /"rest" mounts GET \/users\/:id, which plugin "other"/,
    'another parameter name',
  )
})

t.test('an invalid route is refused', async (t) => {
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [{ ...get('/x'), method: 'LIST' }, /the method "LIST"; methods: GET, POST/],
    [get('x'), /a path begins with "\/"/],
    [{ method: 'GET', path: '/x' }, /without a handler/],
    [null, /the method undefined/],
  ]
  for (const [route, message] of wrong) {
    const fixed = await failure(() => boot([plugin('p', (scope) => scope.route(route as Route))]))
    t.match(faultsOf(fixed)[0], { code: 'SVC_ROUTE_INVALID', message })
    const derived = await failure(() => boot([plugin('p', (scope) => scope.routes(() => [route as Route]))]))
    t.match(derived.message, message)
  }
  const none = await failure(() => boot([plugin('p', (scope) => scope.routes(() => ({}) as never))]))
  t.match(none.message, /"p" gave no list of routes/)
})
