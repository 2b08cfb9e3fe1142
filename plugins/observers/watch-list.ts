import { type ChangeEvent, changes, toSnakeCase } from '../../core/doors/front.ts'
import {
  blockOf,
  type Database,
  listNames,
  type ObjectType,
  type SchemaModel,
  SvcError,
} from '../../core/doors/plugin.ts'
import { type ActionContext, bindAction } from './actions/bind-action.ts'
import type { ObserversBlock } from './actions/declared.ts'
import { bindHandler, type HandlerOption } from './actions/handler.ts'
import type { BoundObserver, Watched } from './deliver/delivery.ts'
import { DEFAULT_RETRY } from './deliver/retry-policy.ts'

interface Watch {
  readonly observer: BoundObserver
  readonly shape: changes.EntityShape
  readonly kind: ChangeEvent['kind'] | null
  readonly mutation: string | null
  readonly condition: changes.Condition | null
}

export interface WatchListOptions extends Omit<ActionContext, 'shape'> {
  readonly handlers: readonly HandlerOption[]
  readonly database: () => Database
  /** Called when the condition of an observer could not be evaluated. The condition then counts as false. */
  readonly failed: (observer: string, error: unknown) => void
}

/**
 * The observers of a loaded schema and the configured handlers. It finds those whose type, event and condition match a
 * change.
 */
export class WatchList {
  readonly #byEntity = new Map<string, Watch[]>()
  readonly #all: readonly Watch[]
  readonly #failed: WatchListOptions['failed']
  readonly hasSync: boolean

  /** @throws SvcError SVC_CONFIG_INVALID, SVC_SCHEMA_INVALID */
  constructor(schema: SchemaModel, options: WatchListOptions) {
    this.#failed = options.failed
    this.#all = [...declared(schema, options), ...options.handlers.map((handler) => handled(schema, handler, options))]
    for (const watch of this.#all) {
      const known = this.#byEntity.get(watch.shape.name) ?? []
      this.#byEntity.set(watch.shape.name, [...known, watch])
    }
    this.hasSync = this.#all.some(({ observer }) => observer.sync)
  }

  get isEmpty(): boolean {
    return this.#all.length === 0
  }

  watches(type: string): boolean {
    return this.#byEntity.has(type)
  }

  /** Returns the observers of an event, in the order of declaration. */
  of(event: ChangeEvent): readonly Watched[] {
    // A function that names no type is observed by the name of its mutation.
    const watches = event.entityType === null ? this.#all : (this.#byEntity.get(event.entityType) ?? [])
    const found: Watched[] = []
    let change: changes.ObservedChange | null = null
    for (const { observer, shape, kind, mutation, condition } of watches) {
      if (kind === null ? mutation !== event.mutation : kind !== event.kind || event.entityType === null) continue
      // Rows are parsed once per event: all shapes of one type are equal.
      if (change?.shape.name !== shape.name) change = changes.observe(event, shape)
      if (condition === null || this.#holds(observer.name, condition, change)) found.push({ change, observer })
    }
    return found
  }

  /** The observer of a stored delivery, whose condition was fulfilled before. */
  find(name: string, event: ChangeEvent): Watched | null {
    const watch = this.#all.find(({ observer }) => observer.name === name)
    return watch === undefined ? null : { change: changes.observe(event, watch.shape), observer: watch.observer }
  }

  /** The ids of the events that an observer with `sync` handles. */
  syncOf(events: readonly ChangeEvent[]): readonly string[] {
    return events.filter((event) => this.of(event).some(({ observer }) => observer.sync)).map(({ id }) => id)
  }

  #holds(name: string, condition: changes.Condition, change: changes.ObservedChange): boolean {
    try {
      return condition(change)
    } catch (error) {
      this.#failed(name, error)
      return false
    }
  }
}

function declared(schema: SchemaModel, options: WatchListOptions): readonly Watch[] {
  const block = blockOf(schema, 'observers') as ObserversBlock | undefined
  if (block === undefined) {
    if (schema.compiled.observers.length === 0) return []
    throw new SvcError(
      'SVC_SCHEMA_INVALID',
      'The schema was compiled without the plugin "observers": run `svc compile` again.',
    )
  }
  return block.observers.map(({ name, entity, event, condition, actions, retry, sync }) => {
    const shape = changes.shapeOfModel(schema.types.get(entity) as ObjectType)
    const isKind = event === 'INSERT' || event === 'UPDATE' || event === 'DELETE'
    const bound = actions.map((action, index) => {
      try {
        return bindAction(action, { ...options, shape })
      } catch (error) {
        const message = `Observer "${name}": action ${index + 1} (${action.type}): ${(error as Error).message}.`
        throw new SvcError('SVC_CONFIG_INVALID', message, { cause: error })
      }
    })
    return {
      observer: { name, retry, sync, actions: bound },
      shape,
      kind: isKind ? event : null,
      mutation: isKind ? null : event,
      condition: condition === undefined ? null : changes.compileCondition(condition, shape),
    }
  })
}

const HANDLED: Readonly<Record<string, ChangeEvent['kind']>> = {
  created: 'INSERT',
  updated: 'UPDATE',
  deleted: 'DELETE',
}

function handled(schema: SchemaModel, handler: HandlerOption, { database }: WatchListOptions): Watch {
  const [entity = '', what = ''] = handler.event.split('.')
  const types = [...schema.types.values()].filter((type): type is ObjectType => type.kind === 'object')
  const type = types.find(({ name }) => name.toLowerCase() === entity || toSnakeCase(name) === entity)
  if (type === undefined) {
    const names = listNames(types.map(({ name }) => toSnakeCase(name)))
    throw new SvcError(
      'SVC_CONFIG_INVALID',
      `[observers] handlers: "${handler.event}": there is no type "${entity}". Types: ${names}.`,
    )
  }
  const name = `handler ${handler.event} ${handler.target}`
  return {
    observer: { name, retry: DEFAULT_RETRY, sync: false, actions: [bindHandler(handler, database)] },
    shape: changes.shapeOfModel(type),
    kind: HANDLED[what]!,
    mutation: null,
    condition: null,
  }
}
