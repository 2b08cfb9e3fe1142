import type { Test } from 'tap'
import type { Exchange } from '../../../core/contract/exchange.ts'
import type { Operation } from '../../../core/contract/operation.ts'
import type { Result } from '../../../core/contract/result.ts'
import type { MaybePromise } from '../../../core/contract/stages.ts'
import type { SchemaModel } from '../../../core/schema/model.ts'
import type { InjectResponse } from '../../../core/service/http/inject.ts'
import { type TestedPlugin, type TestPluginOptions, testPlugin } from '../../../core/testing/testing.ts'
import graphql from '../../../plugins/graphql/index.ts'
import { linkShop } from './shop.ts'

/** One entry of `errors`. */
export interface WireError {
  readonly message: string
  readonly locations?: readonly { readonly line: number; readonly column: number }[]
  readonly path?: readonly (string | number)[]
  readonly extensions: Readonly<Record<string, unknown>>
}

export interface Served extends TestedPlugin {
  /** POSTs a request as JSON. */
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<InjectResponse>
  /** The errors of a request, with code, message and status of the reply. */
  errors(body: unknown, headers?: Readonly<Record<string, string>>): Promise<readonly WireError[]>
  /** The operation that a request became. */
  operation(query: string, variables?: Readonly<Record<string, unknown>>): Promise<Operation>
}

export interface ServeOptions extends Omit<TestPluginOptions, 'schema'> {
  readonly schema?: SchemaModel
  readonly resolve?: (exchange: Exchange, operation: Operation) => MaybePromise<Result>
}

/** The GraphQL front over a database that always answers `{}`, unless the test says otherwise. */
export async function serve(t: Test, given: ServeOptions = {}): Promise<Served> {
  let last: Operation | null = null
  const tested = await testPlugin(graphql, {
    ...given,
    schema: given.schema ?? linkShop(),
    resolve(exchange, operation) {
      last = operation
      return given.resolve?.(exchange, operation) ?? { data: '{}', errors: null }
    },
  })
  t.teardown(() => tested.close())
  const post: Served['post'] = (body, headers = {}) =>
    tested.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
  return {
    ...tested,
    post,
    async errors(body, headers) {
      const response = await post(body, headers)
      return response.json<{ errors: readonly WireError[] }>().errors
    },
    async operation(query, variables = {}) {
      last = null
      const response = await post({ query, variables })
      if (last === null) throw new Error(response.text)
      return last
    },
  }
}
