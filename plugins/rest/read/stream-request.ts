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

/** Handles `GET {resource}/stream` with an endless reply. An error that it throws becomes a REST error reply. */
export type RestStreamHandler = (request: RestStreamRequest) => MaybePromise<Reply>

/** A request of `GET {resource}/stream` whose headers and query string are valid and whose caller has access. */
export interface RestStreamRequest {
  readonly exchange: HttpExchange
  /** The requested route, such as `GET /posts/stream`. */
  readonly route: RestRoute
  readonly type: ObjectType
  /** The list query whose access rules and filters apply to the stream. */
  readonly query: QueryModel
  /** Value of the header `Last-Event-ID`; `null`: absent. */
  readonly lastEventId: string | null
  /**
   * Returns the operation that reads the row with an id, if it matches the filters of the request. Two such operations
   * have the same result if their `template` is the same object, their `variables` are equal and both callers have the
   * same access.
   * @returns `null` when no row can have this id
   */
  rowOperation(id: string): Operation | null
  /**
   * Returns the row in the result of `rowOperation`.
   * @returns JSON text; `null`: the row does not exist, is not visible, or does not match the filters
   * @throws SvcError error of the read
   */
  rowOf(operation: Operation, result: Result): string | null
}
