import { bindChat } from './actions/chat.ts'
import { bindWebhook, type WebhookContext } from './actions/webhook.ts'
import type { DeclaredAction } from './declared.ts'
import type { BoundAction } from './deliver/delivery.ts'

/** @throws Error with what is wrong */
export function bindAction(action: DeclaredAction, context: WebhookContext, chatUrl: string | null): BoundAction {
  switch (action.type) {
    case 'webhook':
      return bindWebhook(action, context)
    case 'chat':
      return bindChat(action, context, chatUrl)
  }
}
