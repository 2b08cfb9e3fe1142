import type { MutationModel } from '../../../core/index.ts'
import { kebab, withoutType } from './names.ts'
import type { RestMethod, RestResource, RoutePlace } from './rest-route.ts'
import { coversAll, idArgument } from './writable-fields.ts'

export interface MutationPlace {
  readonly resource: RestResource | null
  /** Two of a mutation that sets all of a row: PUT and PATCH. */
  readonly places: readonly RoutePlace[]
}

/** Where a mutation without a path of its own is mounted. */
export function mutationPlace(
  mutation: MutationModel,
  resources: readonly RestResource[],
  isFree: (method: RestMethod, path: string) => boolean,
): MutationPlace {
  const named = resources.filter(({ type }) => (withoutType(mutation.name, type.name)?.length ?? 0) > 0)
  // `create_user_email` is of `UserEmail`, where there is one.
  const byName = named.sort((a, b) => b.type.name.length - a.type.name.length)[0]
  const resource = byName ?? resources.find(({ type }) => type === mutation.named) ?? null
  if (resource === null) return { resource, places: [ofNothing(mutation)] }
  return { resource, places: ofResource(mutation, resource, isFree) }
}

function ofNothing({ wireName, operation }: MutationModel): RoutePlace {
  const method = { CREATE: 'POST', UPDATE: 'PATCH', DELETE: 'DELETE', CUSTOM: 'POST' } as const
  return { method: method[operation], path: `/${kebab(wireName)}`, kind: 'action' }
}

function ofResource(
  mutation: MutationModel,
  { name, type }: RestResource,
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
    if (coversAll(type, others) && isFree('PUT', row) && isFree('PATCH', row)) {
      return [
        { method: 'PUT', path: row, kind: 'replace' },
        { method: 'PATCH', path: row, kind: 'update' },
      ]
    }
    return [{ method: 'PATCH', path: ofRow, kind: 'action' }]
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
