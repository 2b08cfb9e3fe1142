import type { FieldModel, MutationModel } from '../../../core/index.ts'
import { kebab, withoutType } from './names.ts'
import type { RestMethod, RestResource, RoutePlace } from './rest-route.ts'
import { coversAll, idArgument } from './writable-fields.ts'

export interface MutationPlace {
  readonly resource: RestResource | null
  /** Two of a mutation that sets all of a row, PUT and PATCH, or that is the update of its type. */
  readonly places: readonly RoutePlace[]
}

/** The resource that a mutation is about: its name holds the type's, else it gives the type. */
export function resourceOf(mutation: MutationModel, resources: readonly RestResource[]): RestResource | null {
  const named = resources.filter(({ type }) => (withoutType(mutation.name, type.name)?.length ?? 0) > 0)
  // `create_user_email` is of `UserEmail`, where there is one.
  const byName = named.sort((a, b) => b.type.name.length - a.type.name.length)[0]
  return byName ?? resources.find(({ type }) => type === mutation.named) ?? null
}

/**
 * Where a mutation without a path of its own is mounted.
 * @param settable which fields of a resource mutations set
 */
export function mutationPlace(
  mutation: MutationModel,
  resources: readonly RestResource[],
  settable: (resource: RestResource) => readonly FieldModel[],
  isFree: (method: RestMethod, path: string) => boolean,
): MutationPlace {
  const resource = resourceOf(mutation, resources)
  if (resource === null) return { resource, places: [ofNothing(mutation)] }
  return { resource, places: ofResource(mutation, resource, settable(resource), isFree) }
}

function ofNothing({ wireName, operation }: MutationModel): RoutePlace {
  const method = { CREATE: 'POST', UPDATE: 'PATCH', DELETE: 'DELETE', CUSTOM: 'POST' } as const
  return { method: method[operation], path: `/${kebab(wireName)}`, kind: 'action' }
}

function ofResource(
  mutation: MutationModel,
  { name, type }: RestResource,
  settable: readonly FieldModel[],
  isFree: (method: RestMethod, path: string) => boolean,
): readonly RoutePlace[] {
  const id = idArgument(mutation)
  const collection = `/${name}`
  const action = withoutType(mutation.name, type.name)?.join('-') || kebab(mutation.name)
  const ofAll: RoutePlace = { method: 'POST', path: `${collection}/${action}`, kind: 'action' }
  if (mutation.operation === 'CREATE') {
    return [isFree('POST', collection) ? { method: 'POST', path: collection, kind: 'create' } : ofAll]
  }
  if (id === null) return [ofAll]
  const row = `${collection}/{${id.wireName}}`
  const ofRow = `${row}/${action}`
  const others = [...mutation.arguments.values()].filter((argument) => argument !== id)
  if (mutation.operation === 'UPDATE') {
    if (coversAll(settable, others) && isFree('PUT', row) && isFree('PATCH', row)) {
      return [
        { method: 'PUT', path: row, kind: 'replace' },
        { method: 'PATCH', path: row, kind: 'update' },
      ]
    }
    const ofPart: RoutePlace = { method: 'PATCH', path: ofRow, kind: 'action' }
    // `updatePost` is the PATCH of posts, also where only `createPost` sets the rest.
    return action === 'update' && isFree('PATCH', row)
      ? [ofPart, { method: 'PATCH', path: row, kind: 'update' }]
      : [ofPart]
  }
  if (mutation.operation === 'DELETE') {
    return [
      isFree('DELETE', row) && others.length === 0
        ? { method: 'DELETE', path: row, kind: 'delete' }
        : { method: 'POST', path: ofRow, kind: 'action' },
    ]
  }
  // What gives no row of the resource, and wants more than its id, is about all of them.
  const isOfRow = mutation.named === type || others.length === 0
  return [isOfRow ? { method: 'POST', path: ofRow, kind: 'action' } : ofAll]
}
