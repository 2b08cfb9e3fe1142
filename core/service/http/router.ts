import findMyWay from 'find-my-way'
import { SvcError } from '../../base/errors/svc-error.ts'
import type { Generation } from '../../contract/generation.ts'
import type { MatchedRoute } from '../../contract/http-exchange.ts'
import type { Route } from '../../contract/route.ts'
import { MAX_URL_BYTES, normalizePath } from './request-target.ts'

export interface Router<R extends Routed = Route> {
  /**
   * Finds the route of a request by method and path, and sets `route` and `params` of the request. The GET route serves
   * HEAD. @returns `null`: there is none
   */
  find(request: RoutedRequest): R | null
  /**
   * Finds the route of a request like {@link Router.find}, or throws.
   * @throws SvcError NOT_FOUND, METHOD_NOT_ALLOWED (`details.allow` lists the methods of the path)
   */
  match(request: RoutedRequest): R
}

type Method = Route['method']
type Routed = Pick<Route, 'method' | 'path' | 'unmatched'>
interface RoutedRequest {
  readonly method: string
  readonly pathname: string
  route?: MatchedRoute | null
  params: Readonly<Record<string, string | undefined>>
}
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A static path that equals every normalized path of its requests. */
const PLAIN = /^[\w.~/-]*$/

/**
 * Creates a router for a fixed list of routes. Paths without parameters are looked up in a map. All others are in a
 * tree of find-my-way, which takes longer to build; a large schema has hundreds of both.
 */
export function createRouter<R extends Routed>(routes: readonly R[]): Router<R> {
  // The default limit of find-my-way is 100 characters, so that longer ids would be 404. The length of the URL is limited already.
  const tree = findMyWay({ ignoreTrailingSlash: false, maxParamLength: MAX_URL_BYTES })
  const fixed = new Map<string, R>()
  const unmatched = routes.filter((route) => route.unmatched === true)
  for (const route of routes) {
    if (route.unmatched === true) continue
    if (PLAIN.test(route.path)) fixed.set(`${route.method} ${route.path}`, route)
    else tree.on(route.method, route.path, () => {}, route)
  }

  function lookUp(method: Method, ctx: RoutedRequest): R | null {
    const hit = fixed.get(`${method} ${normalizePath(ctx.pathname)}`)
    if (hit !== undefined) return hit
    const found = tree.find(method, ctx.pathname)
    if (found === null) return null
    ctx.params = found.params
    return found.store as R
  }

  function find(ctx: RoutedRequest): R | null {
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method
    const route = METHODS.includes(method as Method) ? lookUp(method as Method, ctx) : null
    ctx.route = route
    return route
  }

  return {
    find,
    match(ctx) {
      const route = find(ctx)
      if (route !== null) return route
      const allow: string[] = METHODS.filter((m) => lookUp(m, ctx) !== null)
      if (allow.length === 0) {
        const below = unmatched.find(({ path }) => ctx.pathname.startsWith(path))
        if (below !== undefined) return below
        throw new SvcError('NOT_FOUND', `There is nothing at ${ctx.pathname}.`)
      }
      if (allow.includes('GET')) allow.push('HEAD')
      throw new SvcError('METHOD_NOT_ALLOWED', `${ctx.method} is not allowed here; allowed: ${allow.join(', ')}.`, {
        details: { allow },
      })
    },
  }
}

/**
 * Routers of all schemas that serve requests. After a reload, requests in flight still use the routes of the previous
 * schema.
 */
export interface GenerationRouter {
  /** Finds the route of a request among those of its schema; see {@link Router.find}. */
  find(request: RoutedRequest & { readonly generation: Generation }): Route | null
  /** Finds the route of a request among those of its schema, or throws; see {@link Router.match}. */
  match(request: RoutedRequest & { readonly generation: Generation }): Route
  /** Creates the router for a schema, before the schema serves requests. @throws errors of find-my-way about a path */
  mount(generation: Generation, routes: readonly Route[]): void
}

/** Creates a {@link GenerationRouter} without schemas. Schemas with the same list of routes share a router. */
export function createGenerationRouter(): GenerationRouter {
  const byRoutes = new WeakMap<readonly Route[], Router>()
  const byGeneration = new WeakMap<Generation, Router>()
  // The router of the previous request, which is nearly always the right one.
  let last: { readonly generation: Generation; readonly router: Router } | null = null

  function routerOf(generation: Generation): Router {
    if (last?.generation === generation) return last.router
    const router = byGeneration.get(generation)
    if (router === undefined) throw new Error('A generation serves whose routes were not mounted.')
    last = { generation, router }
    return router
  }

  return {
    mount(generation, routes) {
      let router = byRoutes.get(routes)
      if (router === undefined) {
        router = createRouter(routes)
        byRoutes.set(routes, router)
      }
      byGeneration.set(generation, router)
    },
    find: (ctx) => routerOf(ctx.generation).find(ctx),
    match: (ctx) => routerOf(ctx.generation).match(ctx),
  }
}
