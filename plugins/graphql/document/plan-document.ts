import { type Operation, SvcError } from '../../../core/doors/plugin.ts'
import type { PreparedDocument } from './prepared-document.ts'

/**
 * Plans all operations of a document before its first request, with sample variables.
 * @param plan creates and caches the plan of an operation
 * @throws DocumentErrors, SvcError when every request for the document would fail
 */
export async function planDocument(
  document: PreparedDocument,
  plan: (operation: Operation) => Promise<void>,
): Promise<void> {
  for (const prepared of document.operations()) {
    for (const { operation, isMadeUp } of prepared.samples()) {
      try {
        await plan(operation)
      } catch (error) {
        // An invalid sample value does not prove that requests fail.
        if (!isMadeUp || !(error instanceof SvcError)) throw error
      }
    }
  }
}
