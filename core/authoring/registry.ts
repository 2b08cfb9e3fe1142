import type { AuthoredSchema, SourceLocation } from '../schema/authored.ts'

/** The keys of `schema.json` whose value is a list of declarations, such as `types` and `queries`. */
export type Collection = Exclude<keyof AuthoredSchema, '$schema' | 'version' | 'query_defaults' | 'modules'>

/** Helper functions that a declaration uses when it makes its entry of `schema.json`. */
export interface EmitScope {
  /**
   * Prints a value that the author used as a type in GraphQL notation (`[Post!]!`). Reports a fault if it is no type.
   * @param subject how the fault names the declaration: `field "User.name"`
   */
  typeText(source: unknown, subject: string, place: SourceLocation): string
  fault(place: SourceLocation, message: string): void
  /**
   * Finds the module and export of a value with functions, such as a scalar, from which the server imports the
   * functions; `null`: the value is not exported by a known module.
   */
  locate(target: object): { readonly module: string; readonly export: string } | null
}

/**
 * A declaration of the author: a type, operation, observer, hierarchy or function. `emit` makes its entry of
 * `schema.json`; it is called after all modules have run, so that references to later declarations can be resolved.
 */
export interface Element {
  readonly collection: Collection
  readonly name: string
  readonly place: SourceLocation
  readonly emit: (scope: EmitScope) => object
  /** Position among all declarations in source order. */
  readonly order: number
  /**
   * The exported value that contains functions for the server, such as a scalar. Its export is looked up after the
   * module has run.
   */
  readonly functions?: object
}

export interface Fault {
  readonly place: SourceLocation
  readonly message: string
}

/**
 * A class with decorated fields whose class decorator (`@type`, `@input`, `@interface_`) has not run yet. If none runs,
 * the class is reported as a fault.
 */
export interface PendingClass {
  readonly metadata: object
  readonly place: SourceLocation
  readonly member: string
  claimed: boolean
}

/**
 * A class member with access decorators (`@role` and others) whose `@query`, `@mutation` or `@field` has not run yet.
 * If none runs, the member is reported as a fault.
 */
export interface PendingMark {
  readonly place: SourceLocation
  readonly member: string
  readonly claimed: boolean
}

export interface Registry {
  readonly elements: Element[]
  readonly faults: Fault[]
  readonly pending: PendingClass[]
  readonly marks: PendingMark[]
  /** Keys of plugins for the top level of `schema.json`, from `schemaKeys()`. */
  readonly topLevel: Map<string, unknown>
  steps: number
}

const KEY = Symbol.for('svc.authoring')
const slot = globalThis as { [KEY]?: Registry }

/**
 * Returns the registry that collects the author's declarations. It is stored globally, so that all loaded copies of
 * this module share it.
 */
export function currentRegistry(): Registry {
  slot[KEY] ??= newRegistry()
  return slot[KEY]
}

/**
 * Runs `body` with an empty registry of declarations, for example to load one schema module, and restores the previous
 * registry afterwards. Calls must not overlap, because the registry is global.
 */
export async function withFreshRegistry<T>(body: (registry: Registry) => Promise<T>): Promise<T> {
  const outer = slot[KEY]
  const registry = newRegistry()
  slot[KEY] = registry
  try {
    return await body(registry)
  } finally {
    if (outer === undefined) delete slot[KEY]
    else slot[KEY] = outer
  }
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Returns the next number for sorting declarations by source order. The caller takes it when a decorator expression is
 * evaluated, because the runtime applies decorators of methods before decorators of fields.
 */
export function takeOrder(): number {
  const registry = currentRegistry()
  registry.steps += 1
  return registry.steps
}

/**
 * Adds a declaration to the registry. Reports a fault if its name is not valid in GraphQL.
 * @param order position in source order; absent: after all earlier declarations
 */
export function declare(element: Omit<Element, 'order'>, order = takeOrder()): void {
  const registry = currentRegistry()
  if (!NAME.test(element.name) || element.name.startsWith('__')) {
    reportFault(
      element.place,
      `"${element.name}" is not a name: letters, digits and _ only, no digit first, no "__" first`,
    )
  }
  registry.elements.push({ ...element, order })
}

/** Records an error in the author's declarations. `collectSchema` throws all recorded errors at once. */
export function reportFault(place: SourceLocation, message: string): void {
  currentRegistry().faults.push({ place, message })
}

function newRegistry(): Registry {
  return { elements: [], faults: [], pending: [], marks: [], topLevel: new Map(), steps: 0 }
}
