/** What Holdall does, as a drawing: pictures, a text and a link, each behind one address. Its colours are the theme's. */
export function HeroPicture() {
  return (
    <svg class="hero-picture" viewBox="0 0 480 360" aria-hidden="true">
      <rect class="sheet" x="8" y="24" width="300" height="216" rx="14" />
      <rect class="tile one" x="28" y="44" width="82" height="82" rx="8" />
      <path class="hill" d="M28 126v-18l26-30 24 26 12-12 20 22v4a8 8 0 0 1-8 8Z" />
      <circle class="sun" cx="88" cy="66" r="8" />
      <rect class="tile two" x="118" y="44" width="82" height="82" rx="8" />
      <path class="play" d="m150 68 26 17-26 17Z" />
      <rect class="tile three" x="208" y="44" width="82" height="82" rx="8" />
      <path class="wave" d="M222 85h8l6-16 10 34 9-26 6 12h14" />
      <rect class="tile three" x="28" y="138" width="82" height="82" rx="8" />
      <rect class="tile one" x="118" y="138" width="82" height="82" rx="8" />
      <circle class="sun" cx="159" cy="179" r="20" />
      <rect class="tile two" x="208" y="138" width="82" height="82" rx="8" />
      <path class="hill" d="M208 212v-20l30-26 22 20 14-8 16 14v20a8 8 0 0 1-8 8h-66a8 8 0 0 1-8-8Z" />
      <rect class="sheet" x="250" y="128" width="222" height="150" rx="14" />
      <g class="lines">
        <path d="M272 156h62m14 0h40" />
        <path class="key" d="M284 178h34" />
        <path d="M330 178h92" />
        <path d="M284 200h70" />
        <path class="key" d="M366 200h40" />
        <path d="M272 222h44" />
        <path d="M272 250h120" />
      </g>
      <rect class="pill" x="64" y="292" width="288" height="52" rx="26" />
      <path
        class="chain"
        d="M96 318h-6a10 10 0 0 0 0 20h8m4-20h8a10 10 0 0 1 0 20h-6m-12-10h14"
        transform="translate(0 -10)"
      />
      <path class="address" d="M134 318h116" />
      <circle class="dot" cx="324" cy="318" r="14" />
      <path class="tick" d="m318 318 5 5 8-10" />
    </svg>
  );
}
