import type { NamedType } from '../../core/doors/front.ts'
import type {
  CommittedWrite,
  MutationModel,
  ObjectType,
  OperationTemplate,
  SchemaModel,
} from '../../core/doors/plugin.ts'

type Source = NonNullable<ObjectType['source']>

/** What writes of a schema touch, as far as the schema tells: made once for each. */
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

  /** The views that have rows of a type. @returns none: no view is known to have any */
  ofType(typeName: string): readonly string[] {
    return [...(this.#byType.get(typeName) ?? [])]
  }

  /**
   * What an operation has written to: what its mutations declare, the types of what they return, and of the rows that
   * their functions told of.
   * @param writes `null`: nobody knows, because it failed
   * @returns `null`: it cannot be told, so it may be anything
   */
  ofWrite({ roots }: OperationTemplate, writes: readonly CommittedWrite[] | null): readonly string[] | null {
    // What its function would have told of is not known.
    if (writes === null) return null
    const views = new Set<string>()
    for (const write of writes) for (const name of typesOf(write)) for (const view of this.ofType(name)) views.add(view)
    for (const root of roots) {
      if (root.kind === 'typename') continue
      // What a plugin answers may have written anything.
      if (root.kind !== 'operation' || root.operation.kind !== 'mutation') return null
      const { wireName } = root.operation
      const declared = this.#declaredBy(root.operation)
      const told = writes.some(({ mutation, entityType }) => mutation === wireName && entityType !== null)
      if (declared.length === 0 && !told) return null
      for (const view of declared) views.add(view)
    }
    return [...views]
  }

  #declaredBy(mutation: MutationModel): readonly string[] {
    let views = this.#byMutation.get(mutation)
    if (views === undefined) {
      views = [
        ...new Set([...mutation.invalidates, ...returnedTypes(mutation.named).flatMap((name) => this.ofType(name))]),
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

/** The type itself; of a payload, which has no rows of its own, the types of what stands in it. */
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

/** Of the row, and of what else changed with it (`cascade`). */
function typesOf({ entityType, cascade }: CommittedWrite): readonly string[] {
  const names = entityType === null ? [] : [entityType]
  if (cascade === null) return names
  try {
    // Whatever its form: every place that names a type.
    JSON.parse(cascade, (key, value: unknown) => {
      if ((key === '__typename' || key === 'entity_type') && typeof value === 'string') names.push(value)
      return value
    })
  } catch {
    // It is the function's own text.
  }
  return names
}
