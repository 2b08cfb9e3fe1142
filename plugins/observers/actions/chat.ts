import { compileTemplate } from '../change/template.ts'
import type { DeclaredChat } from '../declared.ts'
import type { BoundAction } from '../deliver/delivery.ts'
import { urlOf, type WebhookContext } from './webhook.ts'

/**
 * A message to a channel, in the form that incoming webhooks of the usual chats take: `{ "channel", "text" }`.
 * @param chatUrl of actions without an address of their own
 * @throws Error with what is wrong
 */
export function bindChat(
  action: DeclaredChat,
  { shape, env, sender }: WebhookContext,
  chatUrl: string | null,
): BoundAction {
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
