import { SvcError } from './svc-error.ts'

/** A read gave more than `svc.max_response_bytes`. The same statement would give it again: it is not run once more. */
export class ResultTooLarge extends SvcError {
  /** @param maxBytes `svc.max_response_bytes` */
  constructor(maxBytes: number) {
    super(
      'VALIDATION_ERROR',
      `The result is larger than ${maxBytes} bytes, the bound of svc.max_response_bytes. Page through it with limit and ` +
        'offset (first and after in a connection), or select fewer fields.',
    )
  }
}
