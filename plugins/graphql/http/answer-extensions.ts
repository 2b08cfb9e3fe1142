import { type HttpExchange, SvcError } from '../../../core/doors/plugin.ts'
import type { DescribeAnswer, RenderedError } from './respond.ts'

/**
 * Called after an HTTP request was read.
 * @returns a function that returns the JSON text of the member when the reply is written; `null`: no member
 */
export type BeginExtension = (ctx: HttpExchange) => ((errors: readonly RenderedError[]) => string) | null

/** The members that plugins add to `extensions` of responses. */
export class AnswerExtensions {
  readonly #begin = new Map<string, BeginExtension>()

  /** @throws SvcError SVC_PROVIDE_DUPLICATE */
  add(name: string, begin: BeginExtension): void {
    if (this.#begin.has(name)) {
      const message = `Two plugins add "${name}" to the extensions of GraphQL's answers: disable one of them.`
      throw new SvcError('SVC_PROVIDE_DUPLICATE', message)
    }
    this.#begin.set(name, begin)
  }

  /** @returns `null` when no plugin adds a member */
  of(ctx: HttpExchange): DescribeAnswer | null {
    if (this.#begin.size === 0) return null
    const ends: [string, (errors: readonly RenderedError[]) => string][] = []
    for (const [name, begin] of this.#begin) {
      const end = begin(ctx)
      if (end !== null) ends.push([name, end])
    }
    if (ends.length === 0) return null
    return (errors) => `{${ends.map(([name, end]) => `${JSON.stringify(name)}:${end(errors)}`).join()}}`
  }
}
