import type { NamedType } from '../../core/doors/front.ts'
import type {
  CommittedWrite,
  MutationModel,
  ObjectType,
  OperationTemplate,
  Peers,
  SchemaModel,
} from '../../core/doors/plugin.ts'

/** Topic of messages to other workers: written views, or `null` for all. */
const TOPIC = 'response-cache:written'
/** Topic of a request that is answered after earlier messages: a worker that answered has handled them. */
const HEARD = 'response-cache:heard'

type Source = NonNullable<ObjectType['source']>

/** Tells which views a write changes, from the mutations and types of a loaded schema. */
export class TouchedViews {
  readonly #byType = new Map<string, Set<string>>()
  readonly #names: ReadonlyMap<Source, string>
  readonly #byMutation = new Map<MutationModel, readonly string[]>()

  constructor(schema: SchemaModel) {
    this.#names = new Map([...schema.sources].map(([name, source]) => [source, name]))
    for (const type of schema.types.values()) if (type.kind === 'object') this.#add(type, type.source)
    for (const { named, source } of schema.queries.values()) {
      for (const type of possibleTypes(named)) this.#add(type, source)
    }
  }

  /** Returns the views with rows of a type; empty if none is known. */
  ofType(typeName: string): readonly string[] {
    return [...(this.#byType.get(typeName) ?? [])]
  }

  /**
   * Returns the views that an operation has written: the declared ones of its mutations, those of the returned types, and those of
   * rows that its functions reported.
   * @param writes `null`: unknown, because the operation failed
   * @returns `null`: unknown, so that it may be any view
   */
  ofWrite({ roots }: OperationTemplate, writes: readonly CommittedWrite[] | null): readonly string[] | null {
    // The rows of a failed write are unknown.
    if (writes === null) return null
    const views = new Set<string>()
    for (const write of writes) for (const name of typesOf(write)) for (const view of this.ofType(name)) views.add(view)
    for (const root of roots) {
      if (root.kind === 'typename') continue
      // A root that a plugin resolves may have written anything.
      if (root.kind !== 'operation' || root.operation.kind !== 'mutation') return null
      const { wireName } = root.operation
      const declared = this.#declaredBy(root.operation)
      const isReported = writes.some(({ mutation, entityType }) => mutation === wireName && entityType !== null)
      if (declared.length === 0 && !isReported) return null
      for (const view of declared) views.add(view)
    }
    return [...views]
  }

  #declaredBy(mutation: MutationModel): readonly string[] {
    let views = this.#byMutation.get(mutation)
    if (views === undefined) {
      views = [
        ...new Set([
          ...(mutation.keys.invalidates ?? []),
          ...returnedTypes(mutation.named).flatMap((name) => this.ofType(name)),
        ]),
      ]
      this.#byMutation.set(mutation, views)
    }
    return views
  }

  #add({ name }: ObjectType, source: Source | null): void {
    const view = source === null ? undefined : this.#names.get(source)
    if (view === undefined) return
    const views = this.#byType.get(name)
    if (views === undefined) this.#byType.set(name, new Set([view]))
    else views.add(view)
  }
}

/** The type itself, or the types of the fields of a payload type, which has no rows itself. */
function returnedTypes(type: NamedType): readonly string[] {
  return possibleTypes(type).flatMap((one) =>
    one.source !== null
      ? [one.name]
      : [...one.fields.values()].flatMap(({ named }) => possibleTypes(named).map(({ name }) => name)),
  )
}

function possibleTypes(type: NamedType): readonly ObjectType[] {
  switch (type.kind) {
    case 'object':
      return [type]
    case 'interface':
    case 'union':
      return type.members
    default:
      return []
  }
}

/** Types of the written row and of the rows that changed with it (`cascade`). */
function typesOf({ entityType, cascade }: CommittedWrite): readonly string[] {
  const names = entityType === null ? [] : [entityType]
  if (cascade === null) return names
  try {
    // Any form is accepted: every key that names a type counts.
    JSON.parse(cascade, (key, value: unknown) => {
      if ((key === '__typename' || key === 'entity_type') && typeof value === 'string') names.push(value)
      return value
    })
  } catch {
    // The function returned a text that is no JSON.
  }
  return names
}

/**
 * Returns the views that match a pattern by their name, or by the name of a query that reads them, followed by a colon
 * (`posts:*`).
 * @param pattern `*` stands for any text
 */
export function matchViews({ sources, queries }: SchemaModel, pattern: string): readonly string[] {
  const fits = matcherOf(pattern)
  const names = new Map([...sources].map(([name, source]) => [source, name]))
  const ofQueries = [...queries.values()]
    .filter(({ name, wireName }) => fits(`${name}:`) || fits(`${wireName}:`))
    .flatMap(({ source }) => names.get(source) ?? [])
  return [...new Set([...[...sources.keys()].filter((name) => fits(name)), ...ofQueries])]
}

/** Matches in linear time; a regular expression with many `.*` would backtrack. */
function matcherOf(pattern: string): (name: string) => boolean {
  const [head = '', ...parts] = pattern.split('*')
  const tail = parts.pop()
  if (tail === undefined) return (name) => name === pattern
  return (name) => {
    if (!name.startsWith(head)) return false
    let at = head.length
    for (const part of parts) {
      const found = name.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return name.length - tail.length >= at && name.endsWith(tail)
  }
}

/**
 * Connects the caches of the worker processes, so that a write in one removes results in all.
 * @param heard called with the views that another process has written; `null`: all
 * @returns a function that reports a write and resolves when the others have handled it; `null`: this is the only
 * process
 */
export function shareInvalidations(
  peers: Peers,
  heard: (views: readonly string[] | null) => void,
): ((views: readonly string[] | null) => Promise<void>) | null {
  peers.hear(TOPIC, (views) => heard(views as readonly string[] | null))
  peers.answer(HEARD, () => true)
  if (peers.index === null) return null
  return async (views) => {
    peers.tell(TOPIC, views)
    await peers.ask(HEARD)
  }
}
