import type { ArgumentModel } from '../../../core/doors/front.ts'
import type { FieldModel, MutationModel, ObjectType, QueryModel } from '../../../core/doors/plugin.ts'

export type RestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * What a route does:
 * - `collection`: a page of rows · `single`: one row · `value`: what a query gives that is no row of one type
 * - `create`, `replace` (PUT), `update` (PATCH), `delete`: a mutation on rows of a resource · `action`: any other mutation
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

/** An object type of which REST serves rows. */
export interface RestResource {
  /** Segment of the path. */
  readonly name: string
  readonly type: ObjectType
}

/** One route, without the base path: what is mounted, and all that a description of it has to know. */
export interface RestRoute {
  readonly method: RestMethod
  /** `/posts/{id}`; placeholders are names of arguments on the wire. */
  readonly path: string
  readonly kind: RouteKind
  readonly operation: QueryModel | MutationModel
  /** `null`: the result is no row of one type. */
  readonly resource: RestResource | null
  /** Arguments that stand in the path, in its order. */
  readonly pathArguments: readonly ArgumentModel[]
  /** The one argument of the path is a field of the row, which has to be equal. */
  readonly byField: boolean
  /** The arguments that query string or body give. */
  readonly otherArguments: readonly ArgumentModel[]
  /** Of PUT: what a body has to have, by wire name. */
  readonly required: readonly FieldModel[]
}

/** The routes of a schema, as they are mounted. */
export interface RestTable {
  readonly routes: readonly RestRoute[]
  readonly resources: readonly RestResource[]
}

/** Where an operation is mounted. */
export interface RoutePlace {
  readonly method: RestMethod
  readonly path: string
  readonly kind: RouteKind
  /** What the path names is this field of the row, and no argument. */
  readonly key?: FieldModel
}
