import findMyWay from 'find-my-way'
import { SvcError } from '../errors/svc-error.ts'
import type { Route } from '../kernel/scope.ts'
import type { Generation } from '../schema/generation.ts'

export interface Router<R extends Routed = Route> {
  /**
   * The route of a request; sets `params`. HEAD is answered by the GET route.
   * @throws SvcError NOT_FOUND, METHOD_NOT_ALLOWED (details.allow)
   */
  match(request: Asked): R
}

type Method = Route['method']
type Routed = Pick<Route, 'method' | 'path'>
interface Asked {
  readonly method: string
  readonly pathname: string
  params: Readonly<Record<string, string | undefined>>
}
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Builds the route table once. Static paths are looked up in a map, the others in find-my-way's tree. */
export function createRouter<R extends Routed>(routes: readonly R[]): Router<R> {
  const tree = findMyWay({ ignoreTrailingSlash: false })
  const fixed = new Map<string, R>()
  for (const route of routes) {
    if (!/[:*(]/.test(route.path)) fixed.set(`${route.method} ${route.path}`, route)
    tree.on(route.method, route.path, () => {}, route)
  }

  function find(method: Method, ctx: Asked): R | null {
    const hit = fixed.get(`${method} ${ctx.pathname}`)
    if (hit !== undefined) return hit
    const found = tree.find(method, ctx.pathname)
    if (found === null) return null
    ctx.params = found.params
    return found.store as R
  }

  return {
    match(ctx) {
      const method = ctx.method === 'HEAD' ? 'GET' : ctx.method
      const route = METHODS.includes(method as Method) ? find(method as Method, ctx) : null
      if (route !== null) return route
      const allow: string[] = METHODS.filter((m) => find(m, ctx) !== null)
      if (allow.length === 0) throw new SvcError('NOT_FOUND', `There is nothing at ${ctx.pathname}.`)
      if (allow.includes('GET')) allow.push('HEAD')
      throw new SvcError('METHOD_NOT_ALLOWED', `${ctx.method} is not allowed here; allowed: ${allow.join(', ')}.`, {
        details: { allow },
      })
    },
  }
}

/** The routers of all generations that serve: routes may come and go with the schema. */
export interface GenerationRouter {
  /** As {@link Router.match}, of the request's generation. */
  match(request: Asked & { readonly generation: Generation }): Route
  /** Builds the router of a generation. @throws what find-my-way throws about a path */
  mount(generation: Generation, routes: readonly Route[]): void
}

/** Where the routes are the same list, the router is the same. */
export function createGenerationRouter(): GenerationRouter {
  const byRoutes = new WeakMap<readonly Route[], Router>()
  const byGeneration = new WeakMap<Generation, Router>()
  // Nearly always the one of the request before.
  let last: { readonly generation: Generation; readonly router: Router } | null = null
  return {
    mount(generation, routes) {
      let router = byRoutes.get(routes)
      if (router === undefined) {
        router = createRouter(routes)
        byRoutes.set(routes, router)
      }
      byGeneration.set(generation, router)
    },
    match(ctx) {
      const { generation } = ctx
      if (last?.generation === generation) return last.router.match(ctx)
      const router = byGeneration.get(generation)
      if (router === undefined) throw new Error('A generation serves whose routes were not mounted.')
      last = { generation, router }
      return router.match(ctx)
    },
  }
}
