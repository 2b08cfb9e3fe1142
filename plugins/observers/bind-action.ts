import { bindChat } from './actions/chat.ts'
import { bindEmail } from './actions/email.ts'
import { bindWebhook, type WebhookContext } from './actions/webhook.ts'
import type { DeclaredAction } from './declared.ts'
import type { BoundAction } from './deliver/delivery.ts'
import type { Mailer } from './outgoing/mailer.ts'

export interface ActionContext extends WebhookContext {
  /** Of `chat` actions without an address of their own. */
  readonly chatUrl: string | null
  /** `null`: there is none. Absent: actions are only checked. */
  readonly mailer?: Mailer | null
}

/** @throws Error with what is wrong */
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
