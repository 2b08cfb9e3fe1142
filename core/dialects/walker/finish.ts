import { createHash } from 'node:crypto'
import type { Parameter, Statement } from '../../front/statement.ts'
import { render, type SqlFragment } from '../../sql/fragment.ts'
import { weighStatement } from '../../sql/weigh-statement.ts'
import type { Bind, FinishedRead } from '../prepared-read.ts'
import type { Primitives } from '../primitives.ts'

const NO_PARAMETERS: readonly Parameter[] = []

/** Text, name, binder and weight of a statement. @param keep prepare it by name? */
export function finishStatement(
  dialect: Primitives,
  fragment: SqlFragment,
  keep: boolean,
): Pick<FinishedRead, 'statement' | 'bind' | 'bytes'> {
  const rendered = render(fragment, dialect.placeholder)
  const { text, slots } = rendered
  const name = keep ? `svc_${createHash('sha1').update(text).digest('hex')}` : null
  const bind: Bind =
    slots.length === 0
      ? () => NO_PARAMETERS
      : (variables, exchange, keys) => {
          const input = keys === undefined ? { variables, exchange } : { variables, exchange, keys }
          const parameters: Parameter[] = new Array(slots.length)
          for (let i = 0; i < slots.length; i++) parameters[i] = slots[i]?.read(input) ?? null
          return parameters
        }
  const statement: Statement = Object.freeze({ name, text, readOnly: true })
  return { statement, bind, bytes: weighStatement(rendered) }
}
