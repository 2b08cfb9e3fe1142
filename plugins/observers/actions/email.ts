import type { EntityShape } from '../../../core/doors/front.ts'
import { compileTemplate } from '../change/template.ts'
import type { DeclaredEmail } from '../declared.ts'
import type { BoundAction } from '../deliver/delivery.ts'
import type { Mailer } from '../outgoing/mailer.ts'

/** One address and nothing else: no name, no second one, no line of a header's. */
const ADDRESS = /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+$/

/**
 * A mail, of text alone.
 * @param mailer `undefined`: only checked, nothing is sent; `null`: there is no server
 * @throws Error with what is wrong
 */
export function bindEmail(action: DeclaredEmail, shape: EntityShape, mailer: Mailer | null | undefined): BoundAction {
  if (mailer === null) throw new Error('there is no server for mails: [observers] smtp_host')
  const to = action.to.split(',').map((one) => compileTemplate(one.trim(), { place: 'address', shape }))
  const subject = compileTemplate(action.subject, { place: 'text', shape })
  const body = compileTemplate(action.body, { place: 'text', shape })
  for (const fixed of [...action.to.split(','), ...(action.from === undefined ? [] : [action.from])]) {
    if (!/[{}]/.test(fixed) && !ADDRESS.test(fixed.trim())) throw new Error(`"${fixed.trim()}" is no address`)
  }
  return {
    type: 'email',
    targetOf: () => mailer?.host ?? '',
    async run(change, id, signal) {
      const addresses = to.map((one) => one(change))
      const wrong = addresses.findIndex((address) => !ADDRESS.test(address))
      if (wrong !== -1) return { kind: 'never', error: `what stands for address ${wrong + 1} is none` }
      if (signal.aborted) return { kind: 'again', error: 'this process may act no more' }
      // biome-ignore lint/suspicious/noControlCharactersInRegex: no line of a header's may end early
      const line = subject(change).replace(/[\u0000-\u001f\u007f]+/g, ' ')
      return mailer!.send({ from: action.from ?? null, to: addresses, subject: line, text: body(change), id })
    },
  }
}
