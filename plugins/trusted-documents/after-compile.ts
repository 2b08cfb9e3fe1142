import { defineAfterCompile } from '../../core/doors/command.ts'
import type {} from './api.ts'
import { describeInvalid } from './describe-invalid.ts'

/** Runs after `svc compile`: warns of trusted documents that do not fit the compiled schema. */
export default defineAfterCompile(async ({ use }) => {
  const trusted = use('trustedDocuments')
  if (trusted.unread !== null) return [trusted.unread]
  const invalid = await trusted.check()
  return invalid.length === 0 ? [] : [describeInvalid(invalid, trusted.size)]
})
