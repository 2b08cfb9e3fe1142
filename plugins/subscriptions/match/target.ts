import { type ChangeEvent, changes, type SubscriptionModel, toSnakeCase } from '../../../core/doors/front.ts'
import { type Exchange, type ObjectType, type SchemaModel, SvcError } from '../../../core/doors/plugin.ts'
import { type AuthorFilter, compileFilter } from './author-filter.ts'

/** The events that a subscription field of the schema selects, independently of a subscriber. */
export interface Target {
  /** Types whose changes are selected, by name. */
  readonly types: ReadonlyMap<string, TargetType>
  readonly durable: boolean
  readonly replay: boolean
  /** Database channel whose messages are also selected; `null`: none. */
  readonly channel: string | null
  /** `true` if the author's filter reads values of the subscriber (`context`). */
  readonly usesContext: boolean
  /** Tests whether an event has a kind, type and topic that the subscription selects. */
  matches(event: ChangeEvent): boolean
  /** Tests whether a message of the channel is selected. A message that names no operation matches every operation. */
  hears(event: ChangeEvent): boolean
}

export interface TargetType {
  readonly shape: changes.EntityShape
  readonly filter: AuthorFilter
}

const DONE: Readonly<Record<string, string>> = { INSERT: 'created', UPDATE: 'updated', DELETE: 'deleted' }

/**
 * Determines the events that a subscription of the schema selects.
 * @throws FilterFault when the filter is invalid because another version of svc compiled the schema
 */
export function targetOf(model: SubscriptionModel, schema: SchemaModel): Target {
  const types = typesOf(model, schema)
  const { operations, topic, filter } = model
  const kinds = operations.length === 0 ? null : new Set(operations)
  const byName = new Map(
    types.map((type): [string, TargetType] => {
      const shape = changes.shapeOfModel(type)
      return [type.name, { shape, filter: compileFilter(filter, shape) }]
    }),
  )
  return {
    types: byName,
    durable: model.durable,
    replay: model.replay,
    channel: topic === undefined ? null : `svc_${topic}`,
    usesContext: [...byName.values()].some(({ filter }) => filter.usesContext),
    matches({ entityType, entityId, kind, mutation }) {
      if (entityType === null || entityId === null || !byName.has(entityType)) return false
      if (kinds !== null && !kinds.has(kind)) return false
      return topic === undefined || isOfTopic(topic, entityType, kind, mutation)
    },
    hears: ({ entityType, kind }) =>
      byName.has(entityType ?? '') && (kinds === null || kind === 'CUSTOM' || kinds.has(kind)),
  }
}

/** Selects all changes to the rows of a type, for change streams of REST. */
export function targetOfType(type: ObjectType): Target {
  const { name } = type
  const shape = changes.shapeOfModel(type)
  return {
    types: new Map([[name, { shape, filter: compileFilter(undefined, shape) }]]),
    durable: true,
    replay: true,
    channel: null,
    usesContext: false,
    matches: ({ entityType, entityId }) => entityType === name && entityId !== null,
    hears: () => false,
  }
}

/** Is the topic `order_created`, for example, or the name of the mutation that wrote the row? */
function isOfTopic(topic: string, entityType: string, kind: string, mutation: string | null): boolean {
  if (mutation !== null && (mutation === topic || toSnakeCase(mutation) === topic)) return true
  return `${toSnakeCase(entityType)}_${DONE[kind]}` === topic
}

function typesOf({ entityType, wireName }: SubscriptionModel, schema: SchemaModel): readonly ObjectType[] {
  const entity = schema.types.get(entityType)
  if (entity?.kind === 'object') return [entity]
  if (entity?.kind === 'interface' || entity?.kind === 'union') return entity.members
  throw new SvcError('SVC_SCHEMA_INVALID', `Subscription "${wireName}": "${entityType}" is no type with rows.`)
}

/**
 * Returns the values of a caller that filters read as `context`: `context.user_id`, claims, and values set by
 * middleware.
 */
export function contextOf({ auth, context }: Exchange): Readonly<Record<string, unknown>> {
  const claims = auth?.claims ?? {}
  return { ...claims, tenant_id: claims.tenant_id ?? null, ...context, user_id: auth?.subject ?? null }
}
