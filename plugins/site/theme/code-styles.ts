/** Colours of highlight.js's classes; each has a contrast of 4.5 on the background of code, light and dark. */
export const codeStyles = `
.hljs-comment, .hljs-quote { color: #63605a; font-style: italic }
.hljs-keyword, .hljs-selector-tag, .hljs-doctag { color: #8a2c6b }
.hljs-string, .hljs-regexp, .hljs-addition { color: #2a6322 }
.hljs-number, .hljs-literal, .hljs-symbol, .hljs-bullet { color: #8c4a00 }
.hljs-title, .hljs-section, .hljs-name, .hljs-selector-id, .hljs-selector-class { color: #17588f }
.hljs-type, .hljs-built_in, .hljs-meta, .hljs-attr, .hljs-attribute, .hljs-variable, .hljs-template-variable, .hljs-property { color: #5b4699 }
.hljs-deletion { color: #a12622 }
.hljs-emphasis { font-style: italic } .hljs-strong { font-weight: 700 }
@media screen and (prefers-color-scheme: dark) {
  .hljs-comment, .hljs-quote { color: #a5a199 }
  .hljs-keyword, .hljs-selector-tag, .hljs-doctag { color: #f09ad0 }
  .hljs-string, .hljs-regexp, .hljs-addition { color: #a3d39b }
  .hljs-number, .hljs-literal, .hljs-symbol, .hljs-bullet { color: #f0b575 }
  .hljs-title, .hljs-section, .hljs-name, .hljs-selector-id, .hljs-selector-class { color: #8ec3f3 }
  .hljs-type, .hljs-built_in, .hljs-meta, .hljs-attr, .hljs-attribute, .hljs-variable, .hljs-template-variable, .hljs-property { color: #c5b4f7 }
  .hljs-deletion { color: #f5a09b }
}
@media print { code [class] { color: #000 } }
`
