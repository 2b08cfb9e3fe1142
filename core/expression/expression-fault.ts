/** Error for an invalid expression: a syntax error, or an unknown name. Thrown when the expression is compiled. */
export class ExpressionFault extends Error {
  /** 1-based, in characters of the expression. */
  readonly column: number

  constructor(message: string, column: number) {
    super(`column ${column}: ${message}`)
    this.name = 'ExpressionFault'
    this.column = column
  }
}

/**
 * Error for a compiled expression that cannot be evaluated with the given data, for example because of a wrong type. If
 * the expression is an access check, deny access.
 */
export class ExpressionFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ExpressionFailure'
  }
}
