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

/** Answers `GET …/stream`, with a body that has no end. What it throws is answered as every error of REST is. */
export type RestStreamHandler = (request: RestStreamRequest) => MaybePromise<Reply>

/**
 * What a client of `GET {resource}/stream` wants to hear of. When a handler gets it, `Accept` and the query string are read, and
 * the caller may ask for these rows: what was said against it was said.
 */
export interface RestStreamRequest {
  readonly exchange: HttpExchange
  /** `GET /posts/stream`; its resource says of which entity the changes are. */
  readonly route: RestRoute
  readonly type: ObjectType
  /** The list query whose guards, rules and filters hold. */
  readonly query: QueryModel
  /** `Last-Event-ID`; `null`: none. */
  readonly lastEventId: string | null
  /**
   * What reads the row of this id as the list would show it to this caller now, for `scope.engine.run`. Two of them are the same read
   * where `template` is the same object and `variables` are equal, if both callers have the same access.
   * @returns `null`: no row can have this id
   */
  rowOperation(id: string): Operation | null
  /**
   * @returns JSON text of the row; `null`: it is not there, or not for this caller, or the query string leaves it out
   * @throws SvcError what the read failed with
   */
  rowOf(operation: Operation, result: Result): string | null
}
