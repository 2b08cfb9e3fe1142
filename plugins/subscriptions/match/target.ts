import {
  type ChangeEvent,
  type EntityShape,
  type SubscriptionModel,
  shapeOfModel,
  toSnakeCase,
} from '../../../core/doors/front.ts'
import { type Exchange, type ObjectType, type SchemaModel, SvcError } from '../../../core/doors/plugin.ts'
import { type AuthorFilter, compileFilter } from './author-filter.ts'

/** What of the events a subscription of the schema is about. */
export interface Target {
  /** By name of the entity. */
  readonly types: ReadonlyMap<string, TargetType>
  readonly durable: boolean
  readonly replay: boolean
  /** Channel of the database that is heard too; `null`: none. */
  readonly channel: string | null
  /** Does the author's filter look at who subscribed? */
  readonly usesContext: boolean
  /** By kind, type and topic. */
  matches(event: ChangeEvent): boolean
  /** A message of its channel; one that does not say what happened may be anything. */
  hears(event: ChangeEvent): boolean
}

export interface TargetType {
  readonly shape: EntityShape
  readonly filter: AuthorFilter
}

const DONE: Readonly<Record<string, string>> = { INSERT: 'created', UPDATE: 'updated', DELETE: 'deleted' }

/** @throws FilterFault when the schema was compiled with another version of the filter's language */
export function targetOf(model: SubscriptionModel, schema: SchemaModel): Target {
  const types = typesOf(model, schema)
  const { operations, topic, filter } = model
  const kinds = operations.length === 0 ? null : new Set(operations)
  const byName = new Map(
    types.map((type): [string, TargetType] => {
      const shape = shapeOfModel(type)
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

/** Of rows of a type, whatever becomes of them: for streams of REST. */
export function targetOfType(type: ObjectType): Target {
  const { name } = type
  const shape = shapeOfModel(type)
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

/** `order_created`; or the mutation that wrote it, by name. */
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

/** What the filter of a subscription knows of who subscribed: `context.user_id`, claims, what middleware laid down. */
export function contextOf({ auth, context }: Exchange): Readonly<Record<string, unknown>> {
  const claims = auth?.claims ?? {}
  return { ...claims, tenant_id: claims.tenant_id ?? null, ...context, user_id: auth?.subject ?? null }
}
