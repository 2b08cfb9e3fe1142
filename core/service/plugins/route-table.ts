import { SvcError } from '../../base/errors/svc-error.ts'
import type { Generation, GenerationSlot } from '../../contract/generation.ts'
import type { OwnedRoute, Route } from '../../contract/route.ts'

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies readonly Route['method'][]

/** The HTTP routes that plugins registered: those of the process, and those that plugins derive from each schema. */
export class RouteTable {
  readonly fixed: OwnedRoute[] = []
  readonly #ofSchema: { readonly plugin: string; readonly slot: GenerationSlot<readonly Route[]> }[] = []

  /** @throws SvcError SVC_ROUTE_INVALID, SVC_ROUTE_DUPLICATE */
  add(plugin: string, route: Route): void {
    const owned = own(plugin, route)
    const at = this.fixed.findIndex((other) => keyOf(other) === keyOf(owned))
    if (at === -1) this.fixed.push(owned)
    else this.fixed[at] = choose(this.fixed[at] as OwnedRoute, owned)
  }

  /** Adds a slot whose value has the routes derived from the schema of a generation. */
  addSlot(plugin: string, slot: GenerationSlot<readonly Route[]>): void {
    this.#ofSchema.push({ plugin, slot })
  }

  /**
   * Returns all routes of a generation. When no plugin derives routes, it is the list of the fixed ones itself.
   * @throws SvcError SVC_ROUTE_INVALID, SVC_ROUTE_DUPLICATE with the names of both plugins
   */
  of(generation: Generation): readonly OwnedRoute[] {
    if (this.#ofSchema.length === 0) return this.fixed
    const all = new Map(this.fixed.map((route) => [keyOf(route), route]))
    for (const { plugin, slot } of this.#ofSchema) {
      const routes: unknown = slot.of(generation)
      if (!Array.isArray(routes)) throw invalid(plugin, 'gave no list of routes for the schema')
      for (const route of routes as readonly Route[]) {
        const owned = own(plugin, route)
        const twin = all.get(keyOf(owned))
        all.set(keyOf(owned), twin === undefined ? owned : choose(twin, owned))
      }
    }
    return Object.freeze([...all.values()])
  }
}

/** Chooses between two routes with the same method and path. A fallback route yields to the other one. */
function choose(first: OwnedRoute, second: OwnedRoute): OwnedRoute {
  if (second.fallback === true) return first
  if (first.fallback === true) return second
  const { plugin, method, path } = second
  const message = `Plugin "${plugin}" mounts ${method} ${path}, which plugin "${first.plugin}" has mounted already.`
  throw new SvcError('SVC_ROUTE_DUPLICATE', message)
}

function own(plugin: string, route: Route): OwnedRoute {
  const { method, path, handler } = (route ?? {}) as Partial<Route>
  if (method === undefined || !METHODS.includes(method)) {
    throw invalid(plugin, `mounts a route with the method ${JSON.stringify(method)}; methods: ${METHODS.join(', ')}`)
  }
  if (typeof path !== 'string' || !path.startsWith('/')) {
    throw invalid(plugin, `mounts a route at ${JSON.stringify(path)}; a path begins with "/"`)
  }
  if (typeof handler !== 'function') throw invalid(plugin, `mounts ${method} ${path} without a handler`)
  return Object.freeze({ ...route, plugin })
}

function invalid(plugin: string, what: string): SvcError {
  return new SvcError('SVC_ROUTE_INVALID', `Plugin "${plugin}" ${what}.`)
}

/** Returns a key that is equal for paths that differ only in the names of their parameters. */
function keyOf({ method, path }: Route): string {
  return `${method} ${path.replace(/:\w+/g, ':')}`
}
