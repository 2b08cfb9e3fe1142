import type { AuthoredSchema, SourceLocation } from '../schema/authored.ts'

/** The arrays of `schema.json`. */
export type Collection = Exclude<keyof AuthoredSchema, '$schema' | 'version' | 'query_defaults' | 'modules'>

/** The functions that an element needs to emit its entry of `schema.json`. */
export interface EmitScope {
  /** Prints a type in GraphQL notation; reports a fault for any other value. `subject`: `field "User.name"`. */
  typeText(source: unknown, subject: string, place: SourceLocation): string
  fault(place: SourceLocation, message: string): void
  /** Returns module and export from which the server imports the functions of `target`; `null`: unknown. */
  locate(target: object): { readonly module: string; readonly export: string } | null
}

/** A declared element. `emit` is called after all modules have run, so that references can be resolved. */
export interface Element {
  readonly collection: Collection
  readonly name: string
  readonly place: SourceLocation
  readonly emit: (scope: EmitScope) => object
  /** Number of the declaration, in source order. */
  readonly order: number
  /** The exported value, for an element with functions that the server imports. Looked up after the module has run. */
  readonly functions?: object
}

export interface Fault {
  readonly place: SourceLocation
  readonly message: string
}

/** Fields of a class that no class decorator has collected yet, by the decorator metadata of the class. */
export interface PendingClass {
  readonly metadata: object
  readonly place: SourceLocation
  readonly member: string
  claimed: boolean
}

/** Access decorators of a member that no operation or field has collected yet. */
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
  /** Keys of plugins on the schema itself. */
  readonly topLevel: Map<string, unknown>
  steps: number
}

const KEY = Symbol.for('svc.authoring')
const slot = globalThis as { [KEY]?: Registry }

/** Returns the registry that collects declarations. All instances of this module share one registry. */
export function currentRegistry(): Registry {
  slot[KEY] ??= newRegistry()
  return slot[KEY]
}

/**
 * Runs `body` with an empty registry, and restores the current one afterwards.
 * Two calls must not overlap.
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
 * Returns the next number, by which declarations are sorted in source order. The number is taken when the decorator
 * expression is evaluated, because decorators of methods are applied before decorators of fields.
 */
export function takeOrder(): number {
  const registry = currentRegistry()
  registry.steps += 1
  return registry.steps
}

/** Adds an element; reports a fault for a name that is not valid in GraphQL. */
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

/** Records a fault; `collectSchema` throws all of them at once. */
export function reportFault(place: SourceLocation, message: string): void {
  currentRegistry().faults.push({ place, message })
}

function newRegistry(): Registry {
  return { elements: [], faults: [], pending: [], marks: [], topLevel: new Map(), steps: 0 }
}
