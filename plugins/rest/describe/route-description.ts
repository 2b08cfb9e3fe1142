import type { ArgumentModel, InputFieldModel, InputType } from '../../../core/doors/front.ts'
import type { FieldModel, ObjectType } from '../../../core/doors/plugin.ts'
import type { BracketOperator } from '../request/field-filter.ts'
import type { RestRoute } from '../routes/rest-route.ts'

/** Describes parameters, body and replies of a REST route, for OpenAPI documents and other tools. */
export interface RouteDescription {
  readonly route: RestRoute
  readonly parameters: readonly ParameterDescription[]
  /** The request body; `null`: the route reads no body. */
  readonly body: BodyDescription | null
  readonly answers: readonly AnswerDescription[]
  /** Error statuses of the route, without those that every route can reply with. */
  readonly refusals: readonly number[]
}

export type ParameterDescription =
  | {
      readonly kind: 'argument'
      readonly in: 'path' | 'query'
      readonly argument: ArgumentModel
      readonly required: boolean
    }
  /** `name=value` and `name[operator]=value`. */
  | {
      readonly kind: 'field'
      readonly name: string
      readonly field: FieldModel
      readonly operators: readonly BracketOperator[]
    }
  /** `filter=<JSON>` about this type. */
  | { readonly kind: 'filter'; readonly type: ObjectType; readonly mostBytes: number }
  /** `or=(…)`; `example` is a member of the group. */
  | { readonly kind: 'group'; readonly name: 'and' | 'or' | 'not'; readonly fields: readonly string[] }
  /** Comma-separated names, each with or without `-`. */
  | { readonly kind: 'sort'; readonly name: string; readonly keys: readonly string[] }
  | { readonly kind: 'select'; readonly type: ObjectType }
  | { readonly kind: 'search'; readonly fields: readonly string[] }
  /** A number of rows. */
  | {
      readonly kind: 'count'
      readonly name: string
      readonly byDefault: number | null
      /** Larger numbers are reduced to this one; `null`: no limit. */
      readonly most: number | null
    }
  | { readonly kind: 'cursor'; readonly name: 'after' | 'before' }
  | { readonly kind: 'header'; readonly name: string; readonly description: string; readonly example: string }

export interface BodyDescription {
  readonly types: readonly string[]
  /** `true` if the request may have no body. */
  readonly optional: boolean
  readonly members: readonly BodyMember[]
  /** Input type whose fields are the members of the body; `null`: the members are arguments. */
  readonly input: InputType | null
  /** JSON form of the body. `one`: an object; `many`: a list of objects; `either`: one of these. */
  readonly shape: 'one' | 'many' | 'either'
  /** Maximum number of rows in a list. */
  readonly mostRows: number
}

export interface BodyMember {
  readonly field: InputFieldModel
  readonly required: boolean
}

/**
 * Content of a reply to a successful request.
 *
 * - `row`: `{ data: row }`; `rows`: `{ data: [row] }`; `either`: one of these; `value`: `{ data: value }`
 * - `page`, `cursor-page`: rows with `meta` and `links`
 * - `lines`: a row as JSON per line; `events`: server-sent events
 */
export type AnswerContent = 'row' | 'rows' | 'either' | 'value' | 'page' | 'cursor-page' | 'lines' | 'events'

export interface AnswerDescription {
  readonly status: number
  /** What the reply contains, by media type; empty: no body. */
  readonly contents: readonly { readonly type: string; readonly content: AnswerContent }[]
  /** Names of the response headers, in lower case. */
  readonly headers: readonly string[]
  readonly when: string
}
