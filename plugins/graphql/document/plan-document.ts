import { type Operation, SvcError } from '../../../core/doors/plugin.ts'
import type { PreparedDocument } from './prepared-document.ts'

/**
 * Plans all operations of a document, so that the first request for each finds its plan.
 * @param plan creates and caches the plans of an operation
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
