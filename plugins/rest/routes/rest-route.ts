import type { ArgumentModel } from '../../../core/doors/front.ts'
import type { FieldModel, MutationModel, ObjectType, QueryModel } from '../../../core/doors/plugin.ts'

export type RestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Purpose of a REST route:
 *
 * - `collection`: a page of rows; `single`: one row; `value`: any other result of a query
 * - `create`, `replace` (PUT), `update` (PATCH), `delete`: a mutation on a row of a resource; `action`: another
 *   mutation
 * - `create-many`: writes a list of rows; `update-many`, `delete-many`: writes the rows that match a filter
 * - `stream`: sends changes of rows as they happen
 */
export type RouteKind =
  | 'collection'
  | 'single'
  | 'value'
  | 'create'
  | 'replace'
  | 'update'
  | 'delete'
  | 'action'
  | 'create-many'
  | 'update-many'
  | 'delete-many'
  | 'stream'

/** An object type whose rows REST serves. */
export interface RestResource {
  /** Name of the resource, which is its segment in the path: `posts`. */
  readonly name: string
  readonly type: ObjectType
}

/** A REST route, derived from a query or mutation. */
export interface RestRoute {
  readonly method: RestMethod
  /** Path below the prefix, such as `/posts/{id}`. A placeholder is the GraphQL name of an argument. */
  readonly path: string
  readonly kind: RouteKind
  readonly operation: QueryModel | MutationModel
  /** Resource that the route belongs to; `null`: the operation returns no rows of one type. */
  readonly resource: RestResource | null
  /** Arguments in the path, in the order of the placeholders. */
  readonly pathArguments: readonly ArgumentModel[]
  /** `true` if the placeholder in the path is a field of the row instead of an argument. Its value becomes a filter. */
  readonly byField: boolean
  /** Arguments that are not in the path: in the query string or the body. */
  readonly otherArguments: readonly ArgumentModel[]
  /** Fields that the body of a PUT must contain; empty for other methods. */
  readonly required: readonly FieldModel[]
}

/** The REST routes and resources of a schema. */
export interface RestTable {
  readonly routes: readonly RestRoute[]
  readonly resources: readonly RestResource[]
}

/** HTTP method and path at which REST serves an operation. */
export interface RoutePlace {
  readonly method: RestMethod
  readonly path: string
  readonly kind: RouteKind
  /** Field that identifies the row in the path. Absent: the parameters of the path are arguments of the operation. */
  readonly key?: FieldModel
}
