import type {
  HttpExchange,
  MaybePromise,
  ObjectType,
  Operation,
  QueryModel,
  Reply,
  Result,
} from '../../../core/doors/plugin.ts'
import type { RestRoute } from '../routes/rest-route.ts'

/** Replies to `GET …/stream` with an endless body. Errors that it throws are rendered like other errors of REST. */
export type RestStreamHandler = (request: RestStreamRequest) => MaybePromise<Reply>

/**
 * A request of `GET {resource}/stream`. `Accept` and the query string were read, and access was checked, before the handler receives
 * it.
 */
export interface RestStreamRequest {
  readonly exchange: HttpExchange
  /** Route such as `GET /posts/stream`, which streams the changes of its resource. */
  readonly route: RestRoute
  readonly type: ObjectType
  /** List query whose guards, rules and filters apply to the stream. */
  readonly query: QueryModel
  /** Value of the header `Last-Event-ID`; `null`: absent. */
  readonly lastEventId: string | null
  /**
   * Returns the operation that reads the row with this id, with the filters of the list, for `scope.engine.run`. Two operations read
   * the same if their `template` is the same object, their `variables` are equal and both callers have the same access.
   * @returns `null` when no row can have this id
   */
  rowOperation(id: string): Operation | null
  /**
   * Returns the row of a result.
   * @returns JSON text of the row; `null` when the row does not exist, the caller may not read it or the query string excludes it
   * @throws SvcError error of the read
   */
  rowOf(operation: Operation, result: Result): string | null
}
