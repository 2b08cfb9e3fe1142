/** Error for an invalid expression, or for an unknown name in it. Thrown when the expression is compiled. */
export class ExpressionFault extends Error {
  /** 1-based, in characters of the expression. */
  readonly column: number

  constructor(message: string, column: number) {
    super(`column ${column}: ${message}`)
    this.name = 'ExpressionFault'
    this.column = column
  }
}

/** Error for an expression that cannot be evaluated with the present values. An access check must then deny. */
export class ExpressionFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ExpressionFailure'
  }
}
