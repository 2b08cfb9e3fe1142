import { createHash } from 'node:crypto'
import type { Bind, FinishedRead } from '../../contract/prepared-read.ts'
import type { BindInput } from '../../contract/slot.ts'
import type { Parameter, Statement } from '../../contract/statement.ts'
import { render, type SqlFragment, weighStatement } from '../../engine/sql/fragment.ts'
import { type Emission, withCommons } from './emission.ts'

const NO_PARAMETERS: readonly Parameter[] = []

/**
 * Completes a statement that was written from a plan: its text and name, a function that binds the parameters of a
 * request, and its estimated size in bytes.
 * @param fragment the SQL of the statement
 * @param keep `true`: the statement gets a name, so that the database keeps its plan
 */
export function finishStatement(
  emission: Emission,
  fragment: SqlFragment,
  keep: boolean,
): Pick<FinishedRead, 'statement' | 'bind' | 'bytes'> {
  const rendered = render(withCommons(emission, fragment), emission.dialect.placeholder)
  const { text, slots } = rendered
  const name = keep ? `svc_${createHash('sha1').update(text).digest('hex')}` : null
  const bind: Bind =
    slots.length === 0
      ? () => NO_PARAMETERS
      : (variables, exchange, keys, access) => {
          const input = inputOf(variables, exchange, keys, access)
          const parameters: Parameter[] = new Array(slots.length)
          for (let i = 0; i < slots.length; i++) parameters[i] = slots[i]?.read(input) ?? null
          return parameters
        }
  const statement: Statement = Object.freeze({
    name,
    text,
    readOnly: true,
    ...(emission.resets ? { resets: true } : {}),
    ...(emission.selective ? { selective: true } : {}),
  })
  return { statement, bind, bytes: weighStatement(rendered) }
}

/** Converts the arguments of a bind function to its input. Nearly always only the first two are present. */
function inputOf(
  variables: BindInput['variables'],
  exchange: BindInput['exchange'],
  keys: BindInput['keys'],
  access: BindInput['access'],
): BindInput {
  if (access !== undefined) return { variables, exchange, keys: keys ?? NO_KEYS, access }
  return keys === undefined ? { variables, exchange } : { variables, exchange, keys }
}

const NO_KEYS: readonly string[] = []
