import type { ArgumentModel } from '../../../core/doors/front.ts'
import type { FieldModel, MutationModel, ObjectType, QueryModel } from '../../../core/doors/plugin.ts'

export type RestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Purpose of a route:
 * - `collection`: a page of rows · `single`: one row · `value`: any other result of a query
 * - `create`, `replace` (PUT), `update` (PATCH), `delete`: a mutation on rows of a resource · `action`: any other
 * mutation
 * - `stream`: changes of rows, as they happen
 * - `create-many`: a list of rows · `update-many`, `delete-many`: the rows of a collection that match
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
  /** Name of the resource, its path segment. */
  readonly name: string
  readonly type: ObjectType
}

/** A route below the base path, as it is mounted and described. */
export interface RestRoute {
  readonly method: RestMethod
  /** Path such as `/posts/{id}`. A placeholder is the wire name of an argument. */
  readonly path: string
  readonly kind: RouteKind
  readonly operation: QueryModel | MutationModel
  /** Resource of the route; `null`: the result is not a row of a single type. */
  readonly resource: RestResource | null
  /** Arguments in the path, in the order of the placeholders. */
  readonly pathArguments: readonly ArgumentModel[]
  /** `true` if the placeholder in the path is a field of the row, which becomes a filter. */
  readonly byField: boolean
  /** Arguments in the query string or body. */
  readonly otherArguments: readonly ArgumentModel[]
  /** Required fields of the body of a PUT. */
  readonly required: readonly FieldModel[]
}

/** The routes of a schema, as they are mounted. */
export interface RestTable {
  readonly routes: readonly RestRoute[]
  readonly resources: readonly RestResource[]
}

/** Method and path at which an operation is mounted. */
export interface RoutePlace {
  readonly method: RestMethod
  readonly path: string
  readonly kind: RouteKind
  /** Field of the row in the path, instead of an argument. */
  readonly key?: FieldModel
}
