// The clock in the top bar: the scrubber writes its moment into the field, and goes there when it rests; the field says
// an instant, which is the same for whoever is sent the address. "t" opens it: see keys.js.
const REST = 600; // ms after the last step
const SHOWN = { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" };

const two = (number) => String(number).padStart(2, "0");
const typed = (at) =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;

// Steps of days keep to midnight where the clocks are changed.
const momentOf = ({ value, dataset: { begin, unit } }) => {
  const at = new Date(begin);
  if (unit === "day") at.setDate(at.getDate() + Number(value));
  else if (unit === "hour") at.setHours(at.getHours() + Number(value));
  else at.setMinutes(at.getMinutes() + Number(value));
  return at;
};

// A page that moves its own clock (the graph) says so: what leads away from it carries the instant it stands at now.
addEventListener("clock-moved", () => {
  const at = new URLSearchParams(location.search).get("as_of");
  document.body.dataset.clock = at ? new URLSearchParams({ as_of: at }) : "";
  for (const link of document.querySelectorAll("a[href^='/']:not([data-now], [download])")) {
    const url = new URL(link.href);
    if (at) url.searchParams.set("as_of", at);
    else url.searchParams.delete("as_of");
    link.href = `${url.pathname}${url.search}${url.hash}`;
  }
});

for (const form of document.querySelectorAll("form[data-clock]")) {
  const field = form.elements.as_of;
  const slider = form.querySelector("#clock-step");
  const now = form.querySelector("a.quiet[data-now]");
  let resting = 0;

  if (slider) {
    form.querySelector("[data-scrub]").hidden = false;
    const tell = () => {
      const at = momentOf(slider);
      const last = Number(slider.value) >= Number(slider.max);
      slider.setAttribute("aria-valuetext", last ? "Now" : at.toLocaleString("en-GB", SHOWN));
      return last ? null : at;
    };
    // Where the popover was open it is open again on the next page, with the scrubber in hand.
    const go = () => {
      const at = tell();
      if (at) {
        form.action = `${form.getAttribute("action").split("#")[0]}#clock`;
        form.requestSubmit();
      } else if (now) location.assign(`${now.href}#clock`);
    };
    slider.addEventListener("input", () => {
      field.value = typed(tell() ?? new Date());
      clearTimeout(resting);
    });
    slider.addEventListener("change", () => {
      clearTimeout(resting);
      resting = setTimeout(go, REST);
    });
    tell();
    if (location.hash === "#clock") slider.autofocus = true;
  }

  form.addEventListener("formdata", ({ formData }) => {
    const at = new Date(field.value);
    if (!Number.isNaN(at.valueOf())) formData.set("as_of", at.toISOString().replace(/:00\.000Z$/, "Z"));
    if (formData.get("as_of_by") === "recorded") formData.delete("as_of_by");
  });
}
