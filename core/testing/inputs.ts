import type { Operation, OperationTemplate } from '../contract/operation.ts'

/** Creates an operation without roots, which suffices for hooks that read kind and name. Override members as needed. */
export function testOperation(
  template: Partial<OperationTemplate> = {},
  variables: Readonly<Record<string, unknown>> = {},
): Operation {
  return {
    template: { kind: 'query', name: null, roots: [], variables: [], ...template },
    variables,
  }
}
