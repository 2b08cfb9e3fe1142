import { SvcError } from './svc-error.ts'

/**
 * VALIDATION_ERROR for a read whose result exceeds `svc.max_response_bytes`. A class of its own, so that the engine
 * does not run the read a second time: its result would be as large.
 */
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
