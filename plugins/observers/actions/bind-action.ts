import type { changes } from '../../../core/doors/front.ts'
import { compileTemplate } from '../change/template.ts'
import type { BoundAction } from '../deliver/delivery.ts'
import type { Mailer } from '../outgoing/mailer.ts'
import type { DeclaredAction, DeclaredChat, DeclaredEmail } from './declared.ts'
import { bindWebhook, urlOf, type WebhookContext } from './webhook.ts'

/** Exactly one address, without a name and without characters that could extend the header. */
const ADDRESS = /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+$/

export interface ActionContext extends WebhookContext {
  /** Webhook URL for `chat` actions without a URL of their own; `null`: none is configured. */
  readonly chatUrl: string | null
  /** Sends emails; `null`: no mail server is configured. Absent when actions are only checked. */
  readonly mailer?: Mailer | null
}

/**
 * Prepares an action of an observer for execution, and checks it.
 * @throws Error that describes what is wrong with the action
 */
export function bindAction(action: DeclaredAction, context: ActionContext): BoundAction {
  switch (action.type) {
    case 'webhook':
      return bindWebhook(action, context)
    case 'chat':
      return bindChat(action, context, context.chatUrl)
    case 'email':
      return bindEmail(action, context.shape, context.mailer)
  }
}

/**
 * Prepares a message to a channel, in the form that incoming webhooks of most chats accept: `{ "channel", "text" }`.
 * @param chatUrl URL of actions without one of their own
 * @throws Error that describes a fault of the action
 */
function bindChat(action: DeclaredChat, { shape, env, sender }: WebhookContext, chatUrl: string | null): BoundAction {
  const url = urlOf(action, env, chatUrl)
  if (!URL.canParse(url) || /[{}]/.test(url)) throw new Error('the address of a chat is a URL without {field}')
  const channel = compileTemplate(action.channel, { place: 'text', shape })
  const message = compileTemplate(action.message, { place: 'chat', shape })
  const { host } = new URL(url)
  return {
    type: 'chat',
    targetOf: () => host,
    async run(change, id, signal) {
      const body = Buffer.from(JSON.stringify({ channel: channel(change), text: message(change) }))
      const headers = { 'content-type': 'application/json', 'user-agent': 'svc', 'idempotency-key': id }
      return sender!.send({ url, method: 'POST', headers, body, signal, origin: change.event.trace })
    },
  }
}

/**
 * Prepares an email action of an observer for execution, and checks it.
 * @param shape fields that templates may use
 * @param mailer `undefined`: the action is only checked; `null`: no mail server is configured
 * @throws Error that describes what is wrong with the action
 */
export function bindEmail(
  action: DeclaredEmail,
  shape: changes.EntityShape,
  mailer: Mailer | null | undefined,
): BoundAction {
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
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a control character could end a header line early
      const line = subject(change).replace(/[\u0000-\u001f\u007f]+/g, ' ')
      return mailer!.send({ from: action.from ?? null, to: addresses, subject: line, text: body(change), id })
    },
  }
}
